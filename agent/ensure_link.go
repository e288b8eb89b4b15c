package agent

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/jira"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// ensureLink takes away what conflicts, and then makes the link where it is missing.
func (a *Agent) ensureLink(ctx context.Context, p queue.EnsureLink) (*result, error) {
	source, err := a.readIssue(ctx, string(p.Source))
	if err != nil {
		return nil, err
	}

	target, err := a.readIssue(ctx, string(p.Target))
	if err != nil {
		return nil, err
	}

	there, conflicting := a.judgeLinks(p, source, target)
	if there && len(conflicting) == 0 {
		return shown(source, target), nil
	}

	wrote := []string{source.Key, target.Key}

	for _, id := range conflicting {
		err := a.patient.write(ctx, func() error { return a.jira.DeleteLink(ctx, id) })
		// Who deleted it meanwhile did what was wanted.
		if err != nil && !jira.NotFound(err) {
			return &result{wrote: wrote}, err
		}
	}

	if !there {
		if err := a.patient.write(ctx, func() error { return a.jira.Link(ctx, p.Type, source.Key, target.Key) }); err != nil {
			return &result{wrote: wrote}, err
		}
	}

	done, err := a.after(ctx, source.Key)
	if err != nil {
		return nil, err
	}

	other, err := a.after(ctx, target.Key)
	if err != nil {
		return nil, err
	}

	done.issues = append(done.issues, other.issues...)

	return done, nil
}

// judgeLinks tells whether the link is there, and the ids of those that it must not stand beside: by the hub's rule,
// one of the same directed type the other way round and, where exclusive, another outward one from the source.
func (a *Agent) judgeLinks(p queue.EnsureLink, source, target jira.Issue) (there bool, conflicting []string) {
	undirected := a.undirected(p.Type, source, target)

	for _, link := range source.Links {
		switch {
		case link.Type != p.Type:
		case link.Key == target.Key && (undirected || link.Direction == jira.Outward):
			there = true
		case link.Key == target.Key, p.Exclusive && (undirected || link.Direction == jira.Outward):
			conflicting = append(conflicting, link.ID)
		}
	}

	return there, conflicting
}

// undirected tells whether the type's two words are the same; one whose words are unknown is directed.
func (a *Agent) undirected(linkType string, issues ...jira.Issue) bool {
	for _, issue := range issues {
		for _, link := range issue.Links {
			if link.Type == linkType && link.OutwardName != "" && link.InwardName != "" {
				return link.OutwardName == link.InwardName
			}
		}
	}

	for _, known := range a.known.told.LinkTypes {
		if known.Name == linkType {
			return known.Outward != "" && known.Outward == known.Inward
		}
	}

	return false
}
