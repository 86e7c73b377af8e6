package engine

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Start evaluates the initial state and says who sends first.
func (p *Program) Start(ctx context.Context) error {
	p.Progress.Iteration, p.Progress.Cycle, p.prepared, p.emptied = 0, nil, false, false
	p.filled, p.adding = false, false
	err := p.Pool.Blocks(ctx, p.N, func(worker, block, from, to int) {
		p.Progress.Changes[block] = activity.Change{}
		evaluation.Strips(from, to, func(from, to int) {
			m := p.Code.Init.Run(worker, from, to)
			for i, state := range p.Code.State {
				state.Slice(from, to).Copy(m.Output(i, to-from))
			}
			p.Progress.Changes[block].Active += firstActive(p.Code, p.Active, from, to)
		})
	})
	if err == nil && p.stepper != nil {
		err = p.stepper.Begin(ctx)
	}
	if err == nil && p.sums != nil {
		err = p.sums.Begin(ctx)
	}
	return err
}

// firstActive sets the active bits of a strip and counts them.
func firstActive(code *compile.Code, active []uint64, from, to int) uint64 {
	words, spec := active[from/64:bitmap.Words(to)], code.Spec
	if spec.Activity == algorithms.Always {
		return bitmap.Fill(words, to-from)
	}
	return activity.MarkUnlike(words, code.State[0].Slice(from, to), vector.Identity(spec.Reduce, spec.State[0].Type))
}

// prepare computes, once an iteration, what depends on the state before it.
func (p *Program) prepare(ctx context.Context) error {
	if p.prepared {
		return nil
	}
	if err := p.empty(ctx); err != nil {
		return err
	}
	if err := p.Pool.Blocks(ctx, p.N, p.sender.block); err != nil {
		return err
	}
	p.sender.end(p.Progress)
	p.prepared = true
	return nil
}

// empty makes the accumulators ready for the first messages, unless there are some; a solver may never ask for it.
func (p *Program) empty(ctx context.Context) error {
	if p.emptied && p.filled {
		return nil
	}
	fresh := !p.emptied
	p.emptied, p.filled = true, true
	p.Code.Settle()
	return p.Pool.Blocks(ctx, p.N, func(worker, _, from, to int) {
		p.Code.Fill(worker, from, to)
		if fresh {
			p.Acc.Reset(from, to)
		}
	})
}
