package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

// get asks for a path, saying that it takes those codings.
func get(t *testing.T, pages http.Handler, path, codings string) *httptest.ResponseRecorder {
	t.Helper()

	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
	request.Header.Set("Accept-Encoding", codings)

	recorded := httptest.NewRecorder()
	pages.ServeHTTP(recorded, request)

	return recorded
}

func packed(t *testing.T, text string) *fstest.MapFile {
	t.Helper()

	var compressed bytes.Buffer

	writer := gzip.NewWriter(&compressed)
	if _, err := writer.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}

	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}

	return &fstest.MapFile{Data: compressed.Bytes()}
}

func built(t *testing.T) http.Handler {
	t.Helper()

	return handler(fstest.MapFS{
		"dist/built/licenses.md.gz":        packed(t, "MIT"),
		"dist/built/graphiql.html.gz":      packed(t, "<html>"),
		"dist/built/assets/app-1a2b.js.gz": packed(t, "let a"),
	})
}

func TestABuiltFileIsSentAsItIsPacked(t *testing.T) {
	pages := built(t)

	for path, want := range map[string]struct{ contentType, caching, text string }{
		"/graphiql":           {"text/html; charset=utf-8", "no-cache", "<html>"},
		"/licenses":           {"text/plain; charset=utf-8", "no-cache", "MIT"},
		"/assets/app-1a2b.js": {"text/javascript; charset=utf-8", "public, max-age=31536000, immutable", "let a"},
	} {
		for codings, sent := range map[string]string{
			"gzip, deflate, br": "gzip", "GZIP;q=0.5": "gzip", "br, gzip;q=0": "", "": "", "identity": "",
		} {
			answer := get(t, pages, path, codings)
			if answer.Code != http.StatusOK || answer.Header().Get("Content-Type") != want.contentType ||
				answer.Header().Get("Cache-Control") != want.caching || answer.Header().Get("Content-Encoding") != sent {
				t.Errorf("%s for %q: %d, %v", path, codings, answer.Code, answer.Header())
			}

			if got := answer.Body.String(); sent == "" && got != want.text {
				t.Errorf("%s for %q: %q", path, codings, got)
			}
		}
	}
}

func TestASlashAtTheEndLeadsToThePage(t *testing.T) {
	answer := get(t, built(t), "/graphiql/", "gzip")
	if answer.Code != http.StatusMovedPermanently || answer.Header().Get("Location") != "/graphiql" {
		t.Errorf("got %d, %v", answer.Code, answer.Header())
	}
}

func TestPagesMayDoNothingButWithThisHost(t *testing.T) {
	for _, path := range []string{"/graphiql", "/assets/app-1a2b.js", "/assets/missing.js"} {
		policy := get(t, built(t), path, "gzip").Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self';") ||
			strings.Contains(policy, "http") || strings.Contains(policy, "*") {
			t.Errorf("%s: %s", path, policy)
		}
	}
}

func TestWhatWasNotBuiltIsNotFound(t *testing.T) {
	for _, path := range []string{"/assets/missing.js", "/assets/..%2fgraphiql.html", "/assets/", "/assets/../doc.go"} {
		if answer := get(t, built(t), path, "gzip"); answer.Code == http.StatusOK {
			t.Errorf("%s: %s", path, answer.Body.String())
		}
	}
}

func TestWithoutABuildThePageSaysWhichCommandMakesIt(t *testing.T) {
	unbuilt, err := dist.ReadFile("dist/unbuilt.html")
	if err != nil {
		t.Fatal(err)
	}

	answer := get(t, handler(fstest.MapFS{"dist/unbuilt.html": &fstest.MapFile{Data: unbuilt}}), "/graphiql", "gzip")
	if text := answer.Body.String(); answer.Code != http.StatusNotFound || !strings.Contains(text, "make web build") {
		t.Errorf("got %d: %s", answer.Code, text)
	}
}
