package host

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// converse begins conversations with both devices. That with the second may end without the run.
func (s *split) converse() {
	s.run.converse(s.ctx, s.fail, s.rest)
	ctx, fail := context.WithCancelCause(s.ctx)
	s.run.converse(ctx, fail, s.dense)
}

// compute has both devices do the run.
func (s *split) compute() error {
	s.views = map[int]*chunk.Chunk{}
	defer s.releaseViews()
	if err := s.upload(); err != nil {
		return err
	}
	e, err := s.rest.talk.do(plugins.Command{Op: plugins.Init}, nil)
	if err != nil {
		return err
	}
	s.begun(*e.Iteration)
	way := s.inStep
	if s.settling {
		way = s.settle
	}
	began := time.Now()
	if err := way(); err != nil || s.isAlone() {
		return err
	}
	s.sending = time.Since(began)
	return s.dismiss()
}

// dismiss ends the conversation with the second device. If that has died meanwhile, it has done its work.
func (s *split) dismiss() error {
	err := s.dense.talk.finish()
	if isGone(err) && s.ctx.Err() == nil {
		s.lose(err)
		return nil
	}
	return err
}

// isGone tells whether an error says that a device is not there any more, or of no use: it has foretold what its
// matrix takes as if no two edges led from one vertex to another, and there may be no room for those that do.
func isGone(err error) bool {
	kind := plugins.KindOf(err)
	return kind == plugins.KindDied || kind == plugins.KindHung || kind == plugins.KindBudget
}
