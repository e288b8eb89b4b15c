package model

import "github.com/sdlc-hub/sdlc-hub/queue"

// Claim is a claim that does not wait. It gives the command that is handed out, or why none is. AfterHours tells that
// the working hours do not contain the moment.
func (s *Site) Claim(instance string, afterHours bool) (*Command, queue.IdleReason) {
	if s.heldAgainst(instance) {
		return nil, queue.IdleSeatTaken
	}

	if instance != "" {
		s.sit(instance)
	}

	switch {
	case s.Pace.Paused:
		return nil, queue.IdlePaused
	case afterHours:
		return nil, queue.IdleOffHours
	}

	if lost := s.InHand(); lost != nil {
		if lost.Deliveries < 3 {
			return s.deliver(lost, queue.CauseRedelivered), ""
		}

		lost.Error = "агент не отчитался после 3 выдач"
		s.turn(lost, queue.Failed, queue.CauseDeliveryLimit, "")
		s.skipDependents(lost)
	}

	for _, c := range s.Ordered() {
		if c.Status == queue.Queued && c.Waiting() == 0 {
			return s.deliver(c, queue.CauseClaimed), ""
		}
	}

	return nil, queue.IdleEmpty
}

func (s *Site) deliver(c *Command, cause queue.Cause) *Command {
	c.Deliveries++
	c.Progress, c.counted = nil, map[queue.Key]bool{}
	s.turn(c, queue.Claimed, cause, Agent)

	return c
}

// Paused notes the pause that came with a command: the holder of the seat keeps it that much longer.
func (s *Site) Paused(instance string, seconds int) {
	if instance != "" {
		s.Seat.Pause = seconds
	} else {
		s.Seat.Pause = 0
	}
}

// Agent is the name on the agent's token.
const Agent = "bot"

// heldAgainst tells whether another instance holds the seat.
func (s *Site) heldAgainst(instance string) bool {
	held := s.Seat.Instance != "" && (s.LongSeats || s.Seat.Pause > 0)

	return held && s.Seat.Instance != instance
}

func (s *Site) sit(instance string) {
	if s.Seat.Instance != instance {
		s.Seat = Seat{Instance: instance}
	}
}

// Heartbeat takes a free seat or keeps the instance's own.
func (s *Site) Heartbeat(beat queue.Beat) queue.Code {
	if beat.Instance == "" {
		return queue.Unprocessable
	}

	if !s.heldAgainst(beat.Instance) {
		s.sit(beat.Instance)
	}

	agent := s.Agents[beat.Instance]
	agent.Name, agent.Instance, agent.Problem = Agent, beat.Instance, beat.Problem

	if beat.Version != nil {
		agent.Version = beat.Version
	}

	s.Agents[beat.Instance] = agent

	return ""
}
