package resolvers

import (
	"github.com/sdlc-hub/sdlc-hub/graph"
	"github.com/sdlc-hub/sdlc-hub/queue"
)

// hubItself is the actor of a change of the pace that nobody asked for.
const hubItself = "hub"

// siteEvent is the event as clients see it; nil for one that only wakes.
func siteEvent(event *queue.Event) graph.SiteEvent {
	switch event.Kind {
	case queue.EventCommand:
		return changeOfCommand(event)
	case queue.EventNote:
		return changeOfNote(event)
	case queue.EventIssue:
		return changeOfIssue(event)
	case queue.EventPace:
		return changeOfPace(event)
	case queue.EventBatch, queue.EventAgent:
		return nil
	default:
		return nil
	}
}

func changeOfCommand(event *queue.Event) *graph.CommandChange {
	return &graph.CommandChange{
		Cursor: event.Cursor, At: event.At, From: orNull(event.From), To: event.State.Status, Cause: event.Cause,
		Actor: orNull(event.Actor), Event: event,
	}
}

func changeOfNote(event *queue.Event) *graph.NoteChange {
	return &graph.NoteChange{
		Cursor: event.Cursor, At: event.At, Key: event.Key, MovedFrom: orNull(event.MovedFrom), Note: event.Note,
	}
}

func changeOfIssue(event *queue.Event) *graph.IssueChange {
	return &graph.IssueChange{Cursor: event.Cursor, At: event.At, Key: event.Key}
}

func changeOfPace(event *queue.Event) *graph.PaceChange {
	shown := &graph.PaceChange{Cursor: event.Cursor, At: event.At, Actor: event.Actor, Pace: event.Pace}
	if shown.Actor == "" {
		shown.Actor = hubItself
	}

	return shown
}
