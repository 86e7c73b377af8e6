package host

import (
	"context"
	"os"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
)

// ownersVariable has this test program, as a plugin, refuse edges that are another's.
var ownersVariable = ownVariable("OWNERS")

// beOwner serves when that is set: a CPU device that looks at every edge that it is given.
func beOwner() {
	if os.Getenv(ownersVariable) != "" {
		serve(wrapped{cpu.New(cpu.Options{}), func(s plugins.Session, job plugins.Job) plugins.Session {
			return &ownerSession{Session: s, job: job}
		}})
	}
}

type ownerSession struct {
	plugins.Session
	job  plugins.Job
	task plugins.Task
	plan plugins.Plan
}

func (s *ownerSession) Compile(ctx context.Context, task plugins.Task) (plugins.Plan, error) {
	var err error
	s.task = task
	s.plan, err = s.Session.Compile(ctx, task)
	return s.plan, err
}

// Execute looks at each chunk before the session does.
func (s *ownerSession) Execute(ctx context.Context, commands <-chan plugins.Command, emit func(plugins.Event)) error {
	checked := make(chan plugins.Command)
	go func() {
		defer close(checked)
		for c := range commands {
			if c.Op == plugins.Upload && s.task.Share != nil {
				if err := s.check(c); err != nil {
					emit(plugins.Event{Seq: c.Seq, Done: true, Err: err})
					return
				}
			}
			select {
			case checked <- c:
			case <-ctx.Done():
				return
			}
		}
	}()
	return s.Session.Execute(ctx, checked, emit)
}

// check refuses a chunk with an edge of another's share. Where sums are pulled, edges of others may come before those
// of the share, as far as they belong to the same sum.
func (s *ownerSession) check(c plugins.Command) error {
	bytes, err := s.job.Arena.Bytes(c.At)
	if err != nil {
		return err
	}
	whole, err := chunk.Open(bytes)
	if err != nil {
		return err
	}
	defer whole.Release()
	if err := whole.Validate(); err != nil {
		return err
	}
	before, own := 0, 0
	for row := range whole.Rows() {
		v := uint64(row)
		if named := whole.Vertices(); named != nil {
			v = uint64(named[row])
		}
		for _, u := range whole.Neighbors()[whole.Offsets()[row]:whole.Offsets()[row+1]] {
			owner := whole.Meta().Rows.Base + v
			if s.plan.ActiveRows {
				owner = whole.Meta().Cols.Base + uint64(u)
			}
			switch {
			case owner >= s.task.Share.Base && owner < s.task.Share.End():
				own++
			case own > 0 || !s.sumsInOrder():
				return plugins.Errorf(plugins.KindChunk, "chunk %d has an edge of vertex %d; the share is %+v", c.Chunk, owner,
					*s.task.Share)
			default:
				before++
			}
		}
	}
	if own == 0 || before >= chunk.SumEdges {
		return plugins.Errorf(plugins.KindChunk, "chunk %d has %d edges of the share %+v, and before them %d of others",
			c.Chunk, own, *s.task.Share, before)
	}
	return nil
}

func (s *ownerSession) sumsInOrder() bool {
	return !s.plan.ActiveRows && !plan.Computation{Task: s.task}.AnyOrder()
}
