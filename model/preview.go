package model

import "github.com/sdlc-hub/sdlc-hub/queue"

// Effect is what a previewed command would do; "" where the rules leave it open.
func (s *Site) Effect(p queue.Params) queue.Effect {
	p = spelledParams(p)
	if _, creates := p.(queue.EnsureIssue); creates {
		return queue.EffectCreate
	}

	subjects := Subjects(p)
	if len(subjects) == 0 {
		return ""
	}

	if s.Reached(p) {
		return queue.EffectNoChange
	}

	for _, key := range subjects {
		if s.Issues[s.present(key)] != nil {
			return ""
		}
	}

	return queue.EffectUnknown
}
