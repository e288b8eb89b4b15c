package resolvers

import "github.com/sdlc-hub/sdlc-hub/queue"

// shownProblem is a Problem of the schema as it stands in extensions.problems, where no resolver writes it out.
type shownProblem struct {
	Command  *string `json:"command"`
	Code     string  `json:"code"`
	Message  string  `json:"message"`
	Position *int    `json:"position"`
	Field    *string `json:"field"`
}

func shownProblems(problems []queue.Problem) []shownProblem {
	shown := make([]shownProblem, len(problems))
	for i, problem := range problems {
		shown[i] = shownProblem{Code: string(problem.Code), Message: problem.Message, Position: problem.Position}

		if problem.Command != nil {
			shown[i].Command = new(problem.Command.String())
		}

		if problem.Field != "" {
			shown[i].Field = new(problem.Field)
		}
	}

	return shown
}
