package npu

import (
	"context"
	"maps"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Step sends along the edges of a chunk. All that are resident are one matrix, so that the first
// Step of an iteration sends along the edges of all of them: no vertex is active that would send along
// those of a chunk that is not stepped. A chunk that comes later makes another matrix.
func (p *program) Step(ctx context.Context, c *kit.Chunk) (edges uint64, err error) {
	edges = uint64(c.Edges())
	if p.sent[c.Number] {
		return edges, nil
	}
	waiting := maps.Clone(p.chunks)
	maps.DeleteFunc(waiting, func(number uint32, _ *resident) bool { return p.sent[number] })
	if err := p.make(waiting); err != nil {
		return edges, err
	}
	if err := p.send(ctx); err != nil {
		return edges, err
	}
	for number := range waiting {
		p.sent[number] = true
	}
	return edges, nil
}

// send brings the messages of who is active to the accumulators.
func (p *program) send(ctx context.Context) error {
	var senders [][]uint64
	for _, l := range p.lanes {
		senders = append(senders, l.active)
	}
	if err := p.matrix.send(ctx, p.lanes, senders...); err != nil {
		return err
	}
	for i, l := range p.lanes {
		v := p.matrix.lanes[i]
		l.acc.ReduceAt(l.spec.Reduce, v.Acc, p.matrix.ids)
		leave(v.Left, p.matrix.ids, l.left)
	}
	return nil
}

// Iterate sends along the edges of all chunks and applies, until there is nothing more to do;
// tell hears of each iteration and of all edges processed so far.
func (p *program) Iterate(ctx context.Context, _ []*kit.Chunk, tell func(*plugins.Iteration, uint64)) (edges uint64, err error) {
	if !p.Iteration().Converged {
		err = p.make(p.chunks)
	}
	done := func(it *plugins.Iteration) {
		edges += p.matrix.edges
		tell(it, edges)
	}
	for err == nil && !p.Iteration().Converged {
		if err = p.goOn(ctx, done); err == nil {
			err = ctx.Err()
		}
	}
	return edges, err
}

// goOn does one iteration, or several at a time.
func (p *program) goOn(ctx context.Context, done func(*plugins.Iteration)) error {
	if hurried, err := p.hurry(ctx, done); hurried || err != nil {
		return err
	}
	if err := p.send(ctx); err != nil {
		return err
	}
	p.turn()
	done(p.Iteration())
	return nil
}
