package ws

import (
	"time"

	"github.com/gorilla/websocket"
)

// answerPing gives the payload back, if there is one.
func (s *socket) answerPing(read message) {
	answer := `{"type":"` + typePong + `"`
	if read.payload != nil {
		answer += `,"payload":` + string(read.payload)
	}

	s.out.send(s.ctx, text(answer+"}"))
}

// pong answers a ping of websockets' own. Only the newest has to be answered, so one that finds no room is not.
func (s *socket) pong(data string) error {
	s.heard.Store(time.Now().UnixNano())
	s.out.put(frame{kind: websocket.PongMessage, head: data}, false)

	return nil
}

// ping asks the client whether it is still there, when it is time to, and cuts it off where it has not answered.
func (s *socket) ping(now time.Time) {
	every := s.server.config.Times.Ping
	silent := now.Sub(time.Unix(0, s.heard.Load()))

	switch {
	case s.loggedIn() == nil || s.isClosing():
	case silent > 2*every:
		_ = s.out.wire.Close() // the reader notices
	case now.Sub(time.Unix(0, max(s.asked.Load(), s.heard.Load()))) >= every:
		s.asked.Store(now.UnixNano())
		s.out.put(text(`{"type":"`+typePing+`"}`), false)
	}
}
