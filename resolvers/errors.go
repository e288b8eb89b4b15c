package resolvers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"runtime/debug"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/access"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// The codes that neither queue nor access has.
const (
	codeBadRequest = "BAD_REQUEST"
	codeTooComplex = "TOO_COMPLEX"
	codeInternal   = "INTERNAL"
)

// gqlgen's own code for an operation beyond its complexity limit, which it does not export.
const gqlgenTooComplex = "COMPLEXITY_LIMIT_EXCEEDED"

// Presenter makes every error that reaches a client one of the contract: with extensions.code and extensions.status,
// and nothing of the inside. What the inside was is logged here, once, and nowhere else.
type Presenter struct{ log *slog.Logger }

// NewPresenter makes a Presenter that logs there.
func NewPresenter(log *slog.Logger) *Presenter { return &Presenter{log: log} }

var (
	_ graphql.ErrorPresenterFunc = (*Presenter)(nil).Present
	_ graphql.RecoverFunc        = (*Presenter)(nil).Recover
)

// Present is gqlgen's ErrorPresenterFunc.
func (p *Presenter) Present(ctx context.Context, err error) *gqlerror.Error {
	shown := &gqlerror.Error{Err: err, Path: graphql.GetPath(ctx)}

	if located, ok := errors.AsType[*gqlerror.Error](err); ok {
		shown.Path, shown.Locations = located.Path, located.Locations
	}

	judged := p.judge(ctx, err)
	shown.Message = judged.message
	shown.Extensions = map[string]any{}
	maps.Copy(shown.Extensions, judged.details)
	shown.Extensions["code"] = judged.code
	shown.Extensions["status"] = statusOf(judged.code)

	return shown
}

// Recover is gqlgen's RecoverFunc: it logs what was thrown, with the stack, and gives an error that Present shows as
// INTERNAL.
func (p *Presenter) Recover(ctx context.Context, thrown any) error {
	p.log.ErrorContext(ctx, "panic", append(whereabouts(ctx), "cause", fmt.Sprint(thrown), "stack", string(debug.Stack()))...)

	return errPanicked
}

// errPanicked has been logged by Recover.
var errPanicked = errors.New("panicked")

// verdict is what the client is told.
type verdict struct {
	code    string
	message string
	details map[string]any
}

func (p *Presenter) judge(ctx context.Context, err error) verdict {
	for _, judge := range []func(context.Context, error) (verdict, bool){
		p.ofDomain, ofAccess, p.ofOutage, ofGraphQL, p.ofCoercion,
	} {
		if judged, ok := judge(ctx, err); ok {
			return judged
		}
	}

	if !errors.Is(err, errPanicked) {
		p.log.ErrorContext(ctx, "internal error", append(whereabouts(ctx), "cause", err)...)
	}

	return verdict{codeInternal, "internal error", map[string]any{"requestId": access.RequestID(ctx)}}
}

// ofDomain judges the domain's refusals.
func (p *Presenter) ofDomain(ctx context.Context, err error) (verdict, bool) {
	refusal, ok := errors.AsType[*queue.Error](err)
	if !ok {
		return verdict{}, false
	}

	if refusal.Code == queue.Unavailable {
		// At debug, for it comes with every request until the database is back, and who lost it has said so.
		p.log.DebugContext(ctx, "the database is away", append(whereabouts(ctx), "cause", err)...)
	}

	judged := verdict{code: string(refusal.Code), message: refusal.Message}
	if len(refusal.Problems) > 0 {
		judged.details = map[string]any{"problems": shownProblems(refusal.Problems)}
	}

	return judged, true
}

// ofAccess judges refused logins and calls.
func ofAccess(_ context.Context, err error) (verdict, bool) {
	denied, ok := errors.AsType[*access.Denied](err)
	if !ok {
		return verdict{}, false
	}

	judged := verdict{code: string(denied.Code), message: denied.Message}
	if denied.RetryAfter > 0 {
		judged.details = map[string]any{"retryAfterSeconds": int(math.Ceil(denied.RetryAfter.Seconds()))}
	}

	return judged, true
}

// ofOutage judges what was not carried out for want of time or of the database.
func (p *Presenter) ofOutage(ctx context.Context, err error) (verdict, bool) {
	unavailable := string(queue.Unavailable)

	switch {
	case errors.Is(err, errPanicked):
		return verdict{}, false
	case errors.Is(err, access.ErrAway):
		p.log.DebugContext(ctx, "the tokens cannot be read", append(whereabouts(ctx), "cause", err)...)

		return verdict{code: unavailable, message: access.ErrAway.Error()}, true
	case isOfContext(err) && ctx.Err() != nil:
		// The caller has gone, or the hub is going: most often nobody reads this.
		return verdict{code: unavailable, message: "the request was cut off; try again"}, true
	case errors.Is(err, context.DeadlineExceeded):
		return verdict{code: unavailable, message: "this took too long; try again"}, true
	default:
		return verdict{}, false
	}
}

// ofGraphQL judges errors that have the contract's code already, and those of gqlgen and gqlparser about the request.
func ofGraphQL(_ context.Context, err error) (verdict, bool) {
	located, ok := errors.AsType[*gqlerror.Error](err)
	if !ok {
		return verdict{}, false
	}

	code, _ := located.Extensions["code"].(string)

	switch code {
	case errcode.ParseFailed, errcode.ValidationFailed:
		return verdict{code: codeBadRequest, message: located.Message}, true
	case gqlgenTooComplex:
		return verdict{code: codeTooComplex, message: located.Message}, true
	case "":
		return verdict{code: codeBadRequest, message: located.Message}, located.Rule != ""
	default:
		return verdict{code, located.Message, located.Extensions}, isOfContract(code)
	}
}

// ofCoercion judges what went wrong while an argument was read. gqlgen marks such an error by nothing but the moment: the
// field has arguments by the schema, and none of them is there yet.
func (p *Presenter) ofCoercion(ctx context.Context, err error) (verdict, bool) {
	field := graphql.GetFieldContext(ctx)
	if field == nil || field.Args != nil || field.Field.Field == nil || errors.Is(err, errPanicked) {
		return verdict{}, false
	}

	if field.Field.Definition == nil || len(field.Field.Definition.Arguments) == 0 {
		return verdict{}, false
	}

	message := err.Error()

	if located, ok := errors.AsType[*gqlerror.Error](err); ok {
		message = located.Message
	}

	return verdict{code: codeBadRequest, message: message}, true
}

func isOfContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// statusOf is the status that goes with a code. It is shown, and HTTP's own only where nothing was carried out.
func statusOf(code string) int {
	switch code {
	case codeBadRequest, codeTooComplex:
		return http.StatusBadRequest
	case string(access.Unauthenticated):
		return http.StatusUnauthorized
	case string(access.Forbidden):
		return http.StatusForbidden
	case string(queue.NotFound):
		return http.StatusNotFound
	case string(queue.Conflict):
		return http.StatusConflict
	case string(queue.CursorExpired):
		return http.StatusGone
	case string(queue.TooLarge):
		return http.StatusRequestEntityTooLarge
	case string(queue.Unprocessable):
		return http.StatusUnprocessableEntity
	case string(access.RateLimited):
		return http.StatusTooManyRequests
	case string(queue.Unavailable):
		return http.StatusServiceUnavailable
	default:
		return http.StatusInternalServerError
	}
}

// isOfContract tells whether clients know the code. INTERNAL is not among them: only judge says that, and logs why.
func isOfContract(code string) bool { return statusOf(code) != http.StatusInternalServerError }

// whereabouts is what the log says beside a cause: who asked for what.
func whereabouts(ctx context.Context) []any {
	caller, _ := access.From(ctx)
	told := []any{"request", access.RequestID(ctx), "site", caller.Site, "token", caller.Token, "path", graphql.GetPath(ctx).String()}

	if graphql.HasOperationContext(ctx) {
		told = append(told, "operation", graphql.GetOperationContext(ctx).OperationName)
	}

	return told
}
