package components

import (
	"context"
	"math/bits"

	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
)

// joining is what a session has beside its forest that finds components together with others (plugins.ExtensionJoins).
// A label says where a tree of another session's is: all that have it are joined, in whatever trees they are here.
//
//	own edges ──link──▶ forest ──label──▶ state ─▶ the next session: those of one label ──link──▶ forest ──label──▶ …
type joining struct {
	applied bool     // own edges have been linked
	table   []uint32 // by label: 1 + a vertex that has it; 0: nobody has come by
}

// NewJoining is New for one of several sessions. It is nil too where two vertices may begin with the same value: then
// those who have it in common may have nothing else.
func NewJoining(p *solvers.Problem) solvers.Solver {
	if !p.Mode.Joins || p.Code.Spec.State[0].Init.Source != "id" {
		return nil
	}
	s, ok := New(p).(*afforest)
	if !ok {
		return nil
	}
	s.joining = &joining{}
	return s
}

// tableSize is a power of two that leaves a third of the table empty, or more.
func tableSize(n int) int { return 1 << bits.Len(uint(n+n/2)) }

// endShare ends an iteration of one of several sessions. What else is needed is found out when all have joined theirs.
func (c *afforest) endShare(ctx context.Context) error {
	c.joining.applied = true
	if c.p.Mode.FromRows {
		c.scan(c.p.Active)
	}
	if err := c.label(ctx); err != nil {
		return err
	}
	c.p.Progress.Conclude(0, 0)
	return nil
}

// join links those of one label, and asks for what is needed next. Sessions that have been told the same ask for the
// same: a root is the lowest of its tree.
func (c *afforest) join(ctx context.Context) error {
	cells, table := cellsOf(c.p.Code.State[0], c.p.Acc.Order), c.joining.table
	clear(table)
	shift := 64 - bits.TrailingZeros(uint(len(table)))
	for v, label := range cells.bits {
		for at := uint64(label) * spread >> shift; ; at = (at + 1) % uint64(len(table)) {
			if first := table[at]; first == 0 {
				table[at] = uint32(v) + 1
			} else if cells.bits[first-1] == label {
				c.parent.link(uint32(v), first-1)
			} else {
				continue
			}
			break
		}
		if v%toldApart == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if err := c.label(ctx); err != nil || !c.p.Mode.FromRows {
		return err
	}
	active, err := c.ask(ctx)
	c.p.Progress.Set(active, 0)
	return err
}

// spread is 2^64 over the golden ratio, by which products have all bits of a label in their highest (Knuth, "The Art of
// Computer Programming", volume 3, section 6.4).
const spread = 0x9E3779B97F4A7C15

// toldApart is after how many vertices it looks whether it is to stop.
const toldApart = 1 << 16
