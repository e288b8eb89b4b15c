package web

import (
	"compress/gzip"
	"embed"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// dist has what Vite built, each file compressed, and the page that says that it built nothing.
//
//go:embed all:dist
var dist embed.FS

// policy is what the pages may do: nothing but with this host. The editor of GraphiQL writes its own styles into the
// page as it goes, and has its fonts in its style sheet; scripts and workers are files of this host alone.
const policy = "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; " +
	"style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// The names of assets hold a hash of their content; a page's does not.
const (
	immutable  = "public, max-age=31536000, immutable"
	revalidate = "no-cache"
)

// contentTypes are those of what Vite builds here. The machine's own table may say otherwise, or nothing.
func contentTypes() map[string]string {
	return map[string]string{
		".html": "text/html; charset=utf-8",
		".js":   "text/javascript; charset=utf-8",
		".css":  "text/css; charset=utf-8",
		".ttf":  "font/ttf",
		".md":   "text/plain; charset=utf-8",
	}
}

// Handler answers for the pages and what they load: /graphiql, /assets/ and /licenses. Nothing of it is secret: who may do what is
// asked at /graphql.
func Handler() http.Handler { return handler(dist) }

func handler(dist fs.FS) http.Handler {
	pages := http.NewServeMux()
	pages.HandleFunc("GET /graphiql", func(w http.ResponseWriter, r *http.Request) {
		if !served(w, r, dist, "graphiql.html", revalidate) {
			sayUnbuilt(w, dist)
		}
	})
	pages.HandleFunc("GET /graphiql/{$}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/graphiql", http.StatusMovedPermanently)
	})
	pages.HandleFunc("GET /licenses", func(w http.ResponseWriter, r *http.Request) {
		if !served(w, r, dist, "licenses.md", revalidate) {
			sayUnbuilt(w, dist)
		}
	})
	pages.HandleFunc("GET /assets/{name}", func(w http.ResponseWriter, r *http.Request) {
		if !served(w, r, dist, "assets/"+r.PathValue("name"), immutable) {
			http.NotFound(w, r)
		}
	})

	return pages
}

// served answers with a built file; false where there is none of that name.
func served(w http.ResponseWriter, r *http.Request, dist fs.FS, name, caching string) bool {
	header := w.Header()
	header.Set("Content-Security-Policy", policy)

	packed, err := fs.ReadFile(dist, "dist/built/"+name+".gz")
	if err != nil {
		return false
	}

	header.Set("Content-Type", contentTypes()[path.Ext(name)])
	header.Set("Cache-Control", caching)
	header.Set("Vary", "Accept-Encoding")

	if takesGzip(r.Header) {
		header.Set("Content-Encoding", "gzip")
		header.Set("Content-Length", strconv.Itoa(len(packed)))

		_, _ = w.Write(packed) //nolint:gosec // it is ours; and a caller who has gone away is told nothing

		return true
	}

	unpacked, err := gzip.NewReader(strings.NewReader(string(packed)))
	if err != nil {
		panic(err) // the build made it
	}

	_, _ = io.Copy(w, unpacked) //nolint:gosec // as above, and what it unpacks is ours

	return true
}

func sayUnbuilt(w http.ResponseWriter, dist fs.FS) {
	page, err := fs.ReadFile(dist, "dist/unbuilt.html")
	if err != nil {
		panic(err) // it is committed
	}

	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write(page)
}

// takesGzip tells whether a caller takes an answer that is compressed.
func takesGzip(header http.Header) bool {
	for part := range strings.SplitSeq(strings.Join(header.Values("Accept-Encoding"), ","), ",") {
		coding, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			weight, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(quality), "q="), 64)

			return err != nil || weight > 0
		}
	}

	return false
}
