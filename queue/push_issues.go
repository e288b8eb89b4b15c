package queue

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// MaxPush is how many issues one push may bring.
const MaxPush = 1000

// Push is issues as Jira has them now.
type Push struct {
	Issues []Snapshot
	// Missing were asked for and not found.
	Missing []Key
	// Refresh is the command that this page belongs to; 0 for none.
	Refresh CommandID
	// Total is how many issues that refresh will bring in all; nil while unknown.
	Total    *int
	Instance string
}

// Pushed is what came of a push.
type Pushed struct {
	// Confirmed are the commands whose wanted state the mirror shows now.
	Confirmed []CommandID
	// Stored is how many snapshots were taken in.
	Stored int
}

// PushIssues takes snapshots into the mirror, and confirms the claimed command where the mirror shows its wanted
// state now. Pages for a refresh that has ended are stored all the same.
func (q *Queue) PushIssues(ctx context.Context, by Actor, pushing Push) (*Pushed, error) {
	pushed, err := readPush(pushing)
	if err != nil {
		return nil, err
	}

	answer := &Pushed{Stored: len(pushed.Issues)}

	err = q.change(ctx, by, func(tx Tx) error {
		view, err := tx.Mirror(ctx, pushed.keys(), pushed.jiraIDs(), pushed.Refresh)
		if err != nil {
			return err
		}

		c := newChange(&view.Site, view.Batches, by)
		c.seen(clean(pushed.Instance))

		if err := c.progress(view, pushed); err != nil {
			return err
		}

		answer.Confirmed, err = c.store(ctx, tx, view, pushed)
		if err != nil {
			return err
		}

		return tx.Apply(ctx, c.changes())
	})
	if err != nil {
		return nil, err
	}

	return answer, nil
}

// push is a Push with every key in its one spelling and every text fit to be stored.
type push struct{ Push }

// readPush checks what was pushed. Its texts are never refused for their characters, its keys are.
func readPush(p Push) (*push, error) {
	if err := checkListed("issues", len(p.Issues), MaxPush); err != nil {
		return nil, err
	}

	if err := checkListed("missing", len(p.Missing), MaxPush); err != nil {
		return nil, err
	}

	if p.Total != nil && *p.Total < 0 {
		return nil, Refusef(Unprocessable, "total is %d; it must be 0 or more, or null while unknown", *p.Total)
	}

	issues := slices.Clone(p.Issues)
	for i := range issues {
		if err := issues[i].read(fmt.Sprintf("issues[%d]", i)); err != nil {
			return nil, err
		}
	}

	missing := slices.Clone(p.Missing)
	for i := range missing {
		if err := readKey(&missing[i], "missing[%d]", i); err != nil {
			return nil, err
		}
	}

	p.Issues, p.Missing = issues, missing

	return &push{p}, nil
}

// readKey takes an issue's key to its one spelling; place says where it stands.
func readKey(key *Key, place string, args ...any) error {
	parsed, ok := ParseKey(string(*key))
	if !ok || parsed.Temp() {
		return Refusef(Unprocessable, "%s is %.40q; it must be an issue's key such as AURORA-1537", fmt.Sprintf(place, args...), *key)
	}

	*key = parsed

	return nil
}

func (p *push) empty() bool { return len(p.Issues) == 0 && len(p.Missing) == 0 }

// load reads what the push may touch; nil where it brings nothing.
func (p *push) load(ctx context.Context, tx Tx) (*MirrorView, error) {
	if p.empty() {
		return nil, nil //nolint:nilnil // nothing to look at is no error
	}

	return tx.Mirror(ctx, p.keys(), p.jiraIDs(), p.Refresh)
}

func (p *push) keys() []Key {
	keys := slices.Clone(p.Missing)
	for i := range p.Issues {
		keys = append(keys, p.Issues[i].Key)
	}

	slices.Sort(keys)

	return slices.Compact(keys)
}

func (p *push) jiraIDs() []string {
	var ids []string

	for i := range p.Issues {
		if id := p.Issues[i].JiraID; id != "" {
			ids = append(ids, id)
		}
	}

	return ids
}

// tellEvery is how often the progress of a refresh makes an event.
const tellEvery = time.Second

// progress notes how far the refresh has come that the push belongs to.
func (c *change) progress(view *MirrorView, pushed *push) error {
	if pushed.Refresh == 0 {
		return nil
	}

	cmd := view.Refresh

	switch {
	case cmd == nil:
		return Refusef(NotFound, "no command %s", pushed.Refresh)
	case cmd.Kind != KindRefresh:
		return Refusef(Unprocessable, "command %s is no refresh; name the refresh that this page belongs to, or none", pushed.Refresh)
	case cmd.Status != Claimed:
		return nil
	}

	c.countPushed(view, cmd, pushed)

	if cmd.Progress == nil {
		return nil
	}

	if c.site.Now.Sub(cmd.Progress.ToldAt) >= tellEvery {
		cmd.Progress.ToldAt = c.site.Now
		c.commandEvent(cmd, cmd.Status, CauseProgress)
	}

	c.update(cmd)

	return nil
}

// countPushed adds the keys that the refresh's present delivery has not counted yet.
func (c *change) countPushed(view *MirrorView, cmd *Command, pushed *push) {
	if cmd.Kind != KindRefresh {
		return
	}

	for _, key := range pushed.keys() {
		if !view.Counted[key] {
			c.out.Counted = append(c.out.Counted, key)
		}
	}

	if len(c.out.Counted) == 0 && pushed.Total == nil {
		return
	}

	c.out.Refresh = cmd

	told := Progress{}
	if cmd.Progress != nil {
		told = *cmd.Progress
	}

	told.Done += len(c.out.Counted)
	if pushed.Total != nil {
		told.Total = pushed.Total
	}

	cmd.Progress = &told
}
