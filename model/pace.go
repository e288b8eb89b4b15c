package model

import "github.com/sdlc-hub/sdlc-hub/queue"

// SetPace changes how fast the agent may go; what is not given stays.
func (s *Site) SetPace(by string, spec queue.PaceSpec) queue.Code {
	if spec.MinPauseSeconds < 0 || spec.MinPauseSeconds > spec.MaxPauseSeconds || spec.MaxPauseSeconds > 3600 {
		return queue.Unprocessable
	}

	if limit := spec.PauseAfterFailures.Value; limit != nil && (*limit < 1 || *limit > 1000) {
		return queue.Unprocessable
	}

	// Zones other than UTC that the sequences bring are unknown ones.
	if hours := spec.WorkingHours.Value; hours != nil && (len(hours.Days) == 0 || hours.TimeZone != "UTC") {
		return queue.Unprocessable
	}

	s.Pace.MinPauseSeconds, s.Pace.MaxPauseSeconds = spec.MinPauseSeconds, spec.MaxPauseSeconds

	if spec.WorkingHours.Given {
		s.Pace.WorkingHours = spec.WorkingHours.Value
	}

	if spec.PauseAfterFailures.Given {
		s.Pace.PauseAfterFailures = spec.PauseAfterFailures.Value
	}

	s.tellPace(by)

	return ""
}

// PauseQueue stops the handing out.
func (s *Site) PauseQueue(by string, reason *string) {
	s.Pace.Paused, s.Pace.PausedBy, s.Pace.PausedReason = true, &by, reason
	s.tellPace(by)
}

// ResumeQueue ends a pause. The rules do not say that the count of failures begins anew; else the next one that failed
// would pause the queue again.
func (s *Site) ResumeQueue(by string) {
	if !s.Pace.Paused {
		return
	}

	s.Pace.Paused, s.Pace.PausedBy, s.Pace.PausedReason, s.Failures = false, nil, nil, 0
	s.tellPace(by)
}

func (s *Site) tellPace(actor string) {
	s.Told = append(s.Told, Entry{Kind: queue.EventPace, Actor: actor, Pace: PaceRow(s.Pace)})
}

// PaceRow is a pace as far as the rules say it: not when it was paused, nor in which words the hub does it by itself.
func PaceRow(pace queue.Pace) string {
	if pace.Paused && pace.PausedBy == nil {
		pace.PausedReason = nil
	}

	pace.PausedAt = nil

	return spelling(pace)
}

// SetHeld holds a batch or releases it.
func (s *Site) SetHeld(by string, id queue.BatchID, held bool) queue.Code {
	batch := s.Batches[id]
	if batch == nil {
		return queue.NotFound
	}

	if batch.Held != held {
		batch.Held = held
		s.Told = append(s.Told, Entry{Kind: queue.EventBatch, Actor: by, Batch: id})
	}

	return ""
}
