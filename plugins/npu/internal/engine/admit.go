package engine

import (
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/edges"
	"github.com/penstock-db/penstock/plugins/npu/internal/matrix"
)

// Admit takes a chunk, unless the program might go on settling for ever with its weights.
func (p *Program) Admit(c *kit.Chunk) error {
	r := edges.Open(c)
	if p.settling && p.spec.Diverged != "" {
		for _, w := range r.Weights(0) {
			if err := shape.SettlesWith(p.spec, w); err != nil {
				return err
			}
		}
	}
	p.chunks[c.Number] = r
	return nil
}

// Evict forgets a chunk. Another may be put in its place, so an earlier matrix is of no more use.
func (p *Program) Evict(c *kit.Chunk) {
	delete(p.chunks, c.Number)
	p.maker.Disinherit()
}

// Inherit takes over what an earlier session left, if it is of use: so many bytes that the plan has not counted.
func (p *Program) Inherit(l *matrix.Legacy) (more uint64) { return p.maker.Inherit(l) }

// Leave is the matrix that the next session on the arena may take over; nil: none.
func (p *Program) Leave(a *arena.Arena, failed bool) *matrix.Legacy {
	return p.maker.Leave(a, p.chunks, failed)
}
