package components

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
)

// joining is what a session has beside its forest that finds components together with others (plugins.ExtensionJoins).
// A label is the root of a vertex in another session's forest: it links the two in this one as well. Labels take the
// place of values until they are of all.
//
//	own edges ──link──▶ forest ──label──▶ state ─▶ the next session ──link──▶ forest ──label──▶ … ─▶ all: values
type joining struct {
	applied bool    // own edges have been linked
	first   []int64 // what the vertices began with
}

// NewJoining is New for one of several sessions.
func NewJoining(p *solvers.Problem) solvers.Solver {
	if !p.Mode.Joins {
		return nil
	}
	s, ok := New(p).(*afforest)
	if !ok {
		return nil
	}
	s.joining = &joining{}
	return s
}

// endShare ends an iteration of one of several sessions. What else is needed is found out when all have joined theirs.
func (c *afforest) endShare(ctx context.Context) error {
	c.joining.applied = true
	if c.p.Mode.FromRows {
		c.scan(c.p.Active)
	}
	clear(c.p.Active)
	c.p.Progress.Conclude(0, 0)
	return c.labelRoots(ctx)
}

// labelRoots puts the root of each vertex in place of its value.
func (c *afforest) labelRoots(ctx context.Context) error {
	labels := cellsOf(c.p.Code.State[0], c.p.Acc.Order).bits
	return c.p.Pool.Blocks(ctx, c.p.N, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			labels[v] = int64(c.parent.compress(uint32(v)))
		}
	})
}

// join links each vertex with its label. Once these are of all, they give way to values, and what is needed next is
// asked for. Sessions that have been told the same ask for the same: a root is the lowest of its tree.
func (c *afforest) join(ctx context.Context, it plugins.Iteration) error {
	cells := cellsOf(c.p.Code.State[0], c.p.Acc.Order)
	for v, label := range cells.bits {
		if uint64(label) >= uint64(c.p.N) {
			return plugins.Errorf(plugins.KindInvalid, "vertex %d is joined with vertex %d of %d", v, uint64(label), c.p.N)
		}
		c.parent.link(uint32(v), uint32(label))
		if v%toldApart == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if !it.Complete {
		return c.labelRoots(ctx)
	}
	copy(cells.bits, c.joining.first)
	if err := c.label(ctx); err != nil || !c.p.Mode.FromRows {
		return err
	}
	active, err := c.ask(ctx)
	c.p.Progress.Set(active, 0)
	return err
}

// toldApart is after how many vertices it looks whether it is to stop.
const toldApart = 1 << 16
