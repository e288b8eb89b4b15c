package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// ensureComment comments unless the same account has said the same there already.
func (a *Agent) ensureComment(ctx context.Context, p queue.EnsureComment) (*result, error) {
	key := string(p.Key)

	comments, err := asked(ctx, a.patient, func() ([]jira.Comment, error) { return a.jira.Comments(ctx, key) })
	if err != nil {
		return nil, err
	}

	said := slices.ContainsFunc(comments, func(c jira.Comment) bool {
		return c.Author.Same(a.known.me) && sameText(c.Body, p.Body)
	})
	if !said {
		err := a.patient.write(ctx, func() error {
			_, err := a.jira.AddComment(ctx, key, p.Body)

			return err
		})
		if err != nil {
			return &result{}, err
		}
	}

	return a.after(ctx, key)
}

// sameText compares texts but for line ends and for the space at the ends of lines and of the whole, which some Jiras
// take away on the way in: what they changed must not be written again.
func sameText(a, b string) bool { return bare(a) == bare(b) }

func bare(text string) string {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\u00a0")
	}

	return strings.TrimSpace(strings.Join(lines, "\n"))
}
