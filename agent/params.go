package agent

import (
	"fmt"

	"github.com/sdlc-hub/sdlc-hub/client"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// paramsOf reads what a claim brings in the domain's words.
func paramsOf(params client.Params) (queue.Params, error) {
	switch p := params.(type) {
	case *client.ParamsEnsureIssue:
		return queue.EnsureIssue{
			TempKey: queue.Key(p.TempKey), Project: p.Project, IssueType: p.IssueType, Summary: p.Summary,
			Description: p.Description, Parent: keyOf(p.Parent), Epic: keyOf(p.Epic), Fields: queue.Fields(p.Fields),
		}, nil
	case *client.ParamsEnsureFields:
		return queue.EnsureFields{Key: queue.Key(p.Key), Fields: queue.Fields(p.Fields)}, nil
	case *client.ParamsEnsureStatus:
		return queue.EnsureStatus{Key: queue.Key(p.Key), Path: p.Path}, nil
	case *client.ParamsEnsureLink:
		return queue.EnsureLink{Source: queue.Key(p.Source), Target: queue.Key(p.Target), Type: p.Type, Exclusive: p.Exclusive}, nil
	case *client.ParamsEnsureSprint:
		return queue.EnsureSprint{Key: queue.Key(p.Key), Sprint: p.Sprint}, nil
	case *client.ParamsEnsureComment:
		return queue.EnsureComment{Key: queue.Key(p.Key), Body: p.Body}, nil
	case *client.ParamsRefresh:
		keys := make([]queue.Key, len(p.Keys))
		for i, key := range p.Keys {
			keys[i] = queue.Key(key)
		}

		return queue.Refresh{Keys: keys, JQL: p.Jql}, nil
	default:
		return nil, fmt.Errorf("the hub handed out a command of a kind that this agent does not know: %T", params)
	}
}

func keyOf(key *string) *queue.Key {
	if key == nil {
		return nil
	}

	parsed := queue.Key(*key)

	return &parsed
}
