package crowd

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/sdlc-hub/sdlc-hub/bench/peer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// begun starts a crowd of that many at a server, and gives what it says and how it ends.
func begun(t *testing.T, server http.Handler, count int) (url string, said *bufio.Scanner, ended <-chan error) {
	t.Helper()

	listening := httptest.NewServer(server)
	t.Cleanup(listening.Close)

	args, err := Config{URL: listening.URL + "/graphql", Query: peer.Subscription, Count: count}.Args()
	if err != nil {
		t.Fatal(err)
	}

	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	result, over := make(chan error, 1), make(chan struct{})

	go func() {
		defer close(over)

		result <- Read(ctx, args, in)

		_ = in.Close() // it never fails
	}()

	t.Cleanup(func() {
		stop()

		_ = out.Close() // likewise
		<-over
		http.DefaultClient.CloseIdleConnections()
	})

	said = bufio.NewScanner(out)
	if !said.Scan() {
		t.Fatal(<-result)
	}

	if line, err := Parse(said.Text()); err != nil || line.Cursor != "" {
		t.Fatalf("it began with %q, %v", said.Text(), err)
	}

	return listening.URL, said, result
}

// post has a peer deliver the n-th change.
func post(t *testing.T, url string, n int) peer.Change {
	t.Helper()

	change := peer.Numbered(n)

	body, err := change.JSON()
	if err != nil {
		t.Fatal(err)
	}

	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+peer.Path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}

	if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s, %v", response.Status, err)
	}

	return change
}

func TestEachPeerDeliversAChangeToEverySubscriber(t *testing.T) {
	for name, server := range map[string]http.Handler{"broadcast": peer.Broadcast(), "stock": peer.Stock()} {
		t.Run(name, func(t *testing.T) {
			url, said, _ := begun(t, server, 20)

			// The first changes may come before the last has subscribed, so they go on until one has reached all.
			heard := make(chan string, 1)

			go func() {
				said.Scan()

				heard <- said.Text()
			}()

			sent := map[string]bool{}

			for n := 1; ; n++ {
				sent[post(t, url, n).Cursor] = true

				select {
				case text := <-heard:
					if line, err := Parse(text); err != nil || !sent[line.Cursor] || line.Last.IsZero() {
						t.Errorf("after %d changes it said %q, %v", n, text, err)
					}

					return
				default:
				}
			}
		})
	}
}

func TestAChangeThatComesTwiceIsAFault(t *testing.T) {
	url, said, ended := begun(t, peer.Broadcast(), 1)

	heard := make(chan struct{})

	go func() {
		defer close(heard)

		for said.Scan() { // until it has ended
		}
	}()

	for {
		post(t, url, 1)

		select {
		case err := <-ended:
			if err == nil || !strings.Contains(err.Error(), "twice") {
				t.Errorf("it ended with %v", err)
			}

			<-heard

			return
		default:
		}
	}
}

func TestTheTallyTellsWhenTheLastHasAChange(t *testing.T) {
	t.Parallel()

	var out strings.Builder

	counted := &tally{of: 2, seen: map[string]*int{}, out: &out}

	for _, cursor := range []string{"a", "b", "b", "a"} {
		counted.saw([]byte(cursor))
	}

	var order []string

	for text := range strings.Lines(out.String()) {
		line, err := Parse(strings.TrimSpace(text))
		if err != nil {
			t.Fatal(err)
		}

		order = append(order, line.Cursor)
	}

	if fmt.Sprint(order) != "[b a]" || len(counted.seen) != 0 {
		t.Errorf("two had b and then a, and it told %v and keeps %d", order, len(counted.seen))
	}
}

func TestWhatIsNoLineOfTheCrowdIsAnError(t *testing.T) {
	t.Parallel()

	for _, line := range []string{"", "all", "all cursor", "all cursor soon", "fault: cut off"} {
		if read, err := Parse(line); err == nil {
			t.Errorf("%q is %+v", line, read)
		}
	}
}
