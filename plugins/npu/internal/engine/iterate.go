package engine

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/matrix"
)

// Iterate sends along the edges of all chunks and applies, until there is nothing more to do;
// tell hears of each iteration and of all edges processed so far.
func (p *Program) Iterate(ctx context.Context, _ []*kit.Chunk, tell func(*plugins.Iteration, uint64)) (edges uint64,
	err error) {
	if p.Iteration().Converged {
		return 0, nil
	}
	m, err := p.maker.Of(p.chunks)
	done := func(it *plugins.Iteration) {
		edges += m.Edges
		tell(it, edges)
	}
	for err == nil && !p.Iteration().Converged {
		if err = p.goOn(ctx, m, done); err == nil {
			err = ctx.Err()
		}
	}
	return edges, err
}

// goOn does one iteration, or several at a time.
func (p *Program) goOn(ctx context.Context, m *matrix.Matrix, done func(*plugins.Iteration)) error {
	if unrolled, err := p.unroll(ctx, m, done); unrolled || err != nil {
		return err
	}
	if err := send(ctx, m, p.lanes); err != nil {
		return err
	}
	p.turn()
	done(p.Iteration())
	return nil
}
