package host

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/plugins"
)

// goOnAlone gives the first device all edges, since the second has died or does not answer any more. What the first was to do with
// its part has been done, or is to be taken back by a Restore.
func (s *split) goOnAlone(absent error) error {
	if s.ctx.Err() != nil || !isGone(absent) {
		s.fail(absent)
		return context.Cause(s.ctx)
	}
	s.lose(absent)
	s.events.Noticed(fmt.Errorf("%s goes on alone, with all edges: %w", s.rest.name, absent))
	for _, i := range s.cut {
		if _, err := s.rest.talk.do(plugins.Command{Op: plugins.Evict, Chunk: uint32(i)}, nil); err != nil {
			return err
		}
		l := s.load(s.ctx, i, s.chunks[i].at)
		if l.err != nil {
			return l.err
		}
		if err := s.give(i, l.at, nil); err != nil {
			return err
		}
	}
	return nil
}

// lose ends the second device.
func (s *split) lose(absent error) {
	s.dense.plugin.Kill()
	<-s.dense.talk.ended
	s.devices = s.devices[:1]
	s.report.Alone = absent.Error()
}

func (s *split) isAlone() bool { return s.report.Alone != "" }

// restore has the first device go on from what its columns say.
func (s *split) restore(it plugins.Iteration) error {
	s.rest.talk.expect(it.Number)
	_, err := s.rest.talk.do(plugins.Command{Op: plugins.Restore, Iteration: it}, nil)
	return err
}
