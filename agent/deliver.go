package agent

import (
	"context"

	"github.com/sdlc-hub/sdlc-hub/client"
)

// deliver hands the journal's report to the hub, and strikes it and its command. A report that the hub refuses for good
// is logged and struck too: nothing that the agent could do would change the answer.
func (a *Agent) deliver(ctx context.Context) error {
	report := *a.journal.kept.Report

	var answer *client.ReportPayload

	send := func(ctx context.Context) (err error) {
		answer, err = a.hub.Report(ctx, report)

		return err
	}

	err := a.toHub(ctx, send)
	if refusedForGood(err) && len(report.Issues) > 0 {
		// What became of the command counts more than how its issues look now.
		a.log.Warn("the hub refused a report; sending it without its issues", "command", report.Command, "error", err)

		report.Issues = nil
		err = a.toHub(ctx, send)
	}

	switch {
	case refusedForGood(err):
		a.log.Error("the hub refused a report for good", "command", report.Command, "outcome", report.Outcome, "error", err)
	case err != nil:
		return err
	case !answer.Accepted:
		a.log.Info("the command had ended otherwise", "command", report.Command, "status", answer.Command.Status)
	default:
		a.log.Info("reported", "command", report.Command, "outcome", report.Outcome)
	}

	return a.journal.strike()
}

// refusedForGood tells whether the hub will answer the same call just so for ever.
func refusedForGood(err error) bool {
	switch client.CodeOf(err) {
	case client.NotFound, client.Conflict, client.Unprocessable, client.TooLarge, client.BadRequest, client.TooComplex:
		return true
	default:
		return false
	}
}
