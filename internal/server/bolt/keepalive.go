package bolt

import "time"

// keepAlive shows the client signs of life while it waits for an answer, and passes on rows
// that come slowly.
func (s *session) keepAlive() {
	ticker := time.NewTicker(s.server.options.Limits.KeepAlive)
	defer ticker.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-ticker.C:
			if s.busy.Load() {
				s.out.noop()
			}
		}
	}
}
