package model

import "github.com/sdlc-hub/sdlc-hub/queue"

// Effect is what a previewed command would do. Of an issue that the mirror knows and that does not show the wanted
// state the rules leave open whether that is CHANGE or, where not all of it was read, UNKNOWN: then it is "", and "" too
// for what no mirror shows.
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
