package trial

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// wiretap stands between a hub and its Postgres and counts the statements that the hub has carried out. It needs nothing
// of the server, and misses nothing that is short-lived.
type wiretap struct {
	url      string
	server   string
	listener net.Listener
	passing  sync.WaitGroup

	mu     sync.Mutex
	counts map[string]int
}

// tap gives a wiretap in front of that Postgres until the test ends.
func tap(t *testing.T, over *keptPostgres) *wiretap {
	t.Helper()

	behind, err := postmasterOf(over.data)
	if err != nil {
		t.Fatal(err)
	}

	const name = ".s.PGSQL.5432"

	folder := openFolder(t)

	listener, err := new(net.ListenConfig).Listen(t.Context(), "unix", filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}

	w := &wiretap{
		url:      "postgres://hub@/hub?" + url.Values{"host": {folder}, "port": {"5432"}}.Encode(),
		server:   filepath.Join(behind.socketDir, ".s.PGSQL."+behind.port),
		listener: listener, counts: map[string]int{},
	}

	w.passing.Go(func() { w.accept(t) })
	t.Cleanup(func() {
		_ = listener.Close() // its accept says so
		w.passing.Wait()
	})

	return w
}

func (w *wiretap) accept(t *testing.T) {
	for {
		hub, err := w.listener.Accept()
		if err != nil {
			return
		}

		w.passing.Go(func() { w.pass(t, hub) })
	}
}

// pass passes everything on, until either side ends.
func (w *wiretap) pass(t *testing.T, hub net.Conn) {
	defer hub.Close() //nolint:errcheck // either side may have closed it

	server, err := net.Dial("unix", w.server) //nolint:noctx // it ends with the hub's
	if err != nil {
		t.Error(err)

		return
	}
	defer server.Close() //nolint:errcheck // likewise

	var answering sync.WaitGroup

	answering.Go(func() {
		_, _ = io.Copy(hub, server)
		_ = hub.Close()
	})

	_ = w.listen(bufio.NewReader(hub), bufio.NewWriter(server)) // whoever is cut off notices by itself
	_ = server.Close()

	answering.Wait()
}

// listen passes on what the hub says, message by message: a type and a length, but for the first, which has no type.
func (w *wiretap) listen(hub *bufio.Reader, server *bufio.Writer) error {
	prepared := map[string]string{}

	for first := true; ; first = false {
		head := make([]byte, 0, 5)

		if !first {
			kind, err := hub.ReadByte()
			if err != nil {
				return err
			}

			head = append(head, kind)
		}

		length := make([]byte, 4)
		if _, err := io.ReadFull(hub, length); err != nil {
			return err
		}

		head = append(head, length...)

		body := make([]byte, binary.BigEndian.Uint32(length)-4)
		if _, err := io.ReadFull(hub, body); err != nil {
			return err
		}

		if !first {
			w.hear(head[0], body, prepared)
		}

		_, _ = server.Write(head) // Flush says what went wrong
		_, _ = server.Write(body)

		if hub.Buffered() == 0 {
			if err := server.Flush(); err != nil {
				return err
			}
		}
	}
}

// hear counts a statement when it is bound for execution, or sent as it is.
func (w *wiretap) hear(kind byte, body []byte, prepared map[string]string) {
	texts := bytes.SplitN(body, []byte{0}, 3)

	switch kind {
	case 'P':
		prepared[string(texts[0])] = string(texts[1])
	case 'B':
		w.count(prepared[string(texts[1])])
	case 'Q':
		w.count(string(texts[0]))
	}
}

func (w *wiretap) count(statement string) {
	w.mu.Lock()
	defer w.mu.Unlock()

	w.counts[values.ReplaceAllString(strings.Join(strings.Fields(statement), " "), "?")]++
}

// values are what makes two statements differ that do the same.
var values = regexp.MustCompile(`'[^']*'|\b\d+\b|\?(, \?)+`)

// take gives what was counted since the last time.
func (w *wiretap) take() statements {
	w.mu.Lock()
	defer w.mu.Unlock()

	taken := w.counts
	w.counts = map[string]int{}

	return taken
}

// statements are how often each was carried out.
type statements map[string]int

func (s statements) total() int {
	total := 0
	for _, n := range s {
		total += n
	}

	return total
}

// String lists them, the most frequent first.
func (s statements) String() string {
	var told strings.Builder

	for _, text := range slices.SortedFunc(maps.Keys(s), func(a, b string) int { return s[b] - s[a] }) {
		from := max(0, strings.Index(text, " FROM "))
		fmt.Fprintf(&told, "%6d %.40s ... %.80s\n", s[text], text, text[from:])
	}

	return told.String()
}
