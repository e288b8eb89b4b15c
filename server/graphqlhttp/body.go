package graphqlhttp

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/sdlc-hub/sdlc-hub/server/refusal"
)

// drained is how much of a body that is too large is still taken in and thrown away, so that the client, which writes
// before it reads, sees the answer and not a cut connection.
const drained = 32 << 20

// checkContentType wants JSON in UTF-8. Anything else is also how a page of another site could send what it likes
// without asking first.
func checkContentType(header http.Header) *gqlerror.Error {
	if encoding := header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return refusal.BadRequest("Content-Encoding %.40q is not supported: send the body as it is", encoding)
	}

	given := header.Get("Content-Type")
	if given == "" {
		return refusal.BadRequest("Content-Type is missing: send application/json")
	}

	mediaType, parameters, err := mime.ParseMediaType(given)
	if err != nil || mediaType != string(jsonFormat) {
		return refusal.BadRequest("Content-Type %.80q is not supported: send application/json", given)
	}

	if charset, ok := parameters["charset"]; ok && !isUTF8(charset) {
		return refusal.BadRequest("charset %.40q is not supported: send UTF-8", charset)
	}

	return nil
}

// readBody reads the whole body within the transport's limits. A slow one is cut off: whoever sends a byte a second
// would else keep a connection and its memory for days. The deadline stays: net/http takes it back
// from a body that came whole, and reads on in one that did not.
func (t Transport) readBody(w http.ResponseWriter, r *http.Request) ([]byte, *gqlerror.Error) {
	// Not every ResponseWriter has deadlines; the hub's own do.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(t.BodyTime))

	if r.ContentLength > t.BodyLimit {
		return nil, t.tooLarge(r.Body)
	}

	body, err := io.ReadAll(io.LimitReader(r.Body, t.BodyLimit+1))

	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")

		return nil, refusal.BadRequest("the body did not arrive within %s", t.BodyTime)
	case err != nil:
		w.Header().Set("Connection", "close")

		return nil, refusal.BadRequest("the body did not arrive whole")
	case int64(len(body)) > t.BodyLimit:
		return nil, t.tooLarge(r.Body)
	default:
		return body, nil
	}
}

func (t Transport) tooLarge(rest io.Reader) *gqlerror.Error {
	_, _ = io.CopyN(io.Discard, rest, drained)

	return refusal.TooLarge("the body is larger than %d bytes", t.BodyLimit)
}
