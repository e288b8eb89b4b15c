// Package graphqlhttp answers GraphQL over HTTP as the draft of that specification has it, POST and GET, in place of
// gqlgen's own transports: all of npm's graphql-http audits pass. Who accepts a stream of events is answered by one, as
// graphql-sse has it.
package graphqlhttp

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/live/sse"
	"github.com/sdlc-hub/sdlc-hub/server/refusal"
)

// Transport answers one operation a request: by POST any but a subscription, by GET queries alone, and as a stream of
// events subscriptions too. Every field must be given.
type Transport struct {
	// BodyLimit is the largest body in bytes.
	BodyLimit int64
	// BodyTime is how long a body may take to arrive.
	BodyTime time.Duration
	// AnswerTime is how long an answer may take to be read, once it is there. The operation itself takes what it takes.
	AnswerTime time.Duration
	// ValueDepth is how deep lists and objects nest in the body.
	ValueDepth int
	// Mends tells whose bodies have what is no UTF-8 replaced by U+FFFD; others' are refused for it.
	Mends func(r *http.Request) bool
	// Present makes each error what the client sees.
	Present graphql.ErrorPresenterFunc
	// Recover makes an error of a panic.
	Recover graphql.RecoverFunc
	// Events writes streams of events.
	Events sse.Stream
	// Follow gives the context of a subscription that the request asks for: it ends with the given one, or sooner. done is
	// called when the subscription has ended.
	Follow func(ctx context.Context, r *http.Request) (following context.Context, done func())
}

var _ graphql.Transport = Transport{}

// allowed are the methods of the endpoint.
const allowed = "GET, POST, OPTIONS"

// envelope is what lies around the variables in a body and counts as a level of it.
const envelope = 1

// Supports takes everything but the upgrade to a websocket: what is wrong with a request is answered here. Other upgrades
// are offers that a server may pass over; Java's own client makes one with its first request.
func (t Transport) Supports(r *http.Request) bool {
	return !strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// Do answers the request.
func (t Transport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	format, acceptable := acceptedFormat(r.Header)
	if !acceptable {
		t.RefuseWith(w, r, http.StatusNotAcceptable, refusal.BadRequest(
			"none of what Accept names can be answered with: there is %s, %s and %s", graphqlFormat, jsonFormat, streamFormat))

		return
	}

	params, status, problem := t.params(w, r)
	if problem != nil {
		t.RefuseWith(w, r, status, problem)

		return
	}

	if params == nil { // OPTIONS
		w.Header().Set("Allow", allowed)
		w.WriteHeader(http.StatusNoContent)

		return
	}

	t.execute(w, r, exec, format, params)
}

// params reads the request; it gives no parameters where none are due. The status is that of the problem.
func (t Transport) params(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, int, *gqlerror.Error) {
	start := graphql.Now()

	var (
		params  *graphql.RawParams
		problem *gqlerror.Error
	)

	switch r.Method {
	case http.MethodGet:
		params, problem = paramsOfURL(r.URL.RawQuery, t.ValueDepth)
	case http.MethodPost:
		if problem = checkContentType(r.Header); problem != nil {
			return nil, http.StatusUnsupportedMediaType, problem
		}

		var body []byte
		if body, problem = t.readBody(w, r); problem == nil {
			if t.Mends != nil && t.Mends(r) {
				body = bytes.ToValidUTF8(body, []byte("\uFFFD"))
			}

			params, problem = paramsOfBody(body, t.ValueDepth+envelope)
		}
	case http.MethodOptions:
		return nil, 0, nil
	default:
		w.Header().Set("Allow", allowed)

		return nil, http.StatusMethodNotAllowed, refusal.BadRequest("%.20s is not allowed here: use POST, or GET for queries", r.Method)
	}

	if problem != nil {
		return nil, refusal.StatusOf(problem), problem
	}

	params.Headers = r.Header
	params.ReadTime = graphql.TraceTiming{Start: start, End: graphql.Now()}

	return params, 0, nil
}

func (t Transport) execute(
	w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, format format, params *graphql.RawParams,
) {
	ctx := graphql.StartOperationTrace(r.Context())

	operation, problems := exec.CreateOperationContext(ctx, params)
	if problems != nil {
		answer := exec.DispatchError(graphql.WithOperationContext(ctx, operation), problems)
		if format == streamFormat {
			t.serve(ctx, w, r, once(answer))
		} else {
			t.write(w, statusOf(format, answer.Errors), format, answer, withoutData)
		}

		return
	}

	if !t.allows(w, r, format, operation.Operation.Operation) {
		return
	}

	if format == streamFormat {
		t.stream(ctx, w, r, exec, operation)

		return
	}

	next, ctx := exec.DispatchOperation(ctx, operation)

	answer := next(ctx)
	if answer == nil { // the context ended: the caller is gone, or the hub is going
		t.Refuse(w, r, refusal.Unavailable("the request was cut off; try again"))

		return
	}

	t.write(w, http.StatusOK, format, answer, withData)
}

// allows refuses an operation of a kind that this method and this format are not for.
func (t Transport) allows(w http.ResponseWriter, r *http.Request, format format, kind ast.Operation) bool {
	streams := kind == ast.Subscription && format == streamFormat

	switch {
	case kind == ast.Query || streams:
		return true
	case r.Method == http.MethodGet:
		w.Header().Set("Allow", http.MethodPost)
		t.RefuseWith(w, r, http.StatusMethodNotAllowed, refusal.BadRequest("a %s is not allowed by GET: use %s", kind, properWay(kind)))

		return false
	case kind == ast.Subscription:
		t.Refuse(w, r, refusal.BadRequest("a subscription is not answered here: use %s", properWay(kind)))

		return false
	default:
		return true
	}
}

func properWay(kind ast.Operation) string {
	if kind == ast.Subscription {
		return "a websocket with graphql-transport-ws, or Accept: " + string(streamFormat)
	}

	return "POST"
}

// statusOf is the status of a request that was not carried out: in the older format 200 where the document or the
// variables are at fault.
func statusOf(format format, problems gqlerror.List) int {
	status := http.StatusBadRequest
	for _, problem := range problems {
		status = max(status, refusal.StatusOf(problem))
	}

	if status == http.StatusBadRequest && format == jsonFormat {
		return http.StatusOK
	}

	return status
}

// Refuse answers a request that is not carried out, whatever it asked for, in the format it accepts or else in JSON,
// also where a stream was asked for: clients take up a stream again that ends, and not one that never began. The status
// is the one that the error has once it is presented.
func (t Transport) Refuse(w http.ResponseWriter, r *http.Request, problem error) {
	presented := t.Present(r.Context(), problem)
	t.refuse(w, r, refusal.StatusOf(presented), presented)
}

// RefuseWith is Refuse with a status of HTTP's own, for which GraphQL has no word.
func (t Transport) RefuseWith(w http.ResponseWriter, r *http.Request, status int, problem error) {
	t.refuse(w, r, status, t.Present(r.Context(), problem))
}

func (t Transport) refuse(w http.ResponseWriter, r *http.Request, status int, presented *gqlerror.Error) {
	format, acceptable := acceptedFormat(r.Header)
	if !acceptable || format == streamFormat {
		format = jsonFormat
	}

	t.write(w, status, format, &graphql.Response{Errors: gqlerror.List{presented}}, withoutData)
}
