package session

import "time"

// keepAlive shows the client signs of life while it waits for an answer, and passes on rows
// that come slowly.
func (s *Session) keepAlive() {
	ticker := time.NewTicker(s.service.Limits.KeepAlive)
	defer ticker.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-ticker.C:
			if s.busy.Load() {
				s.sender.Out.Noop()
			}
		}
	}
}
