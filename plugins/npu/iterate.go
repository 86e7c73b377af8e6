package npu

import (
	"context"
	"maps"

	"github.com/penstock-db/penstock/plugins"
)

// step sends along the edges of a chunk. All that are resident are one matrix, so that the first
// Step of an iteration sends along the edges of all of them: nobody who would send along those
// of a chunk that is not stepped is active. A chunk that comes later makes another matrix.
func (p *program) step(ctx context.Context, number uint32, chunks map[uint32]*resident) error {
	if p.sent[number] {
		return nil
	}
	waiting := maps.Clone(chunks)
	maps.DeleteFunc(waiting, func(number uint32, _ *resident) bool { return p.sent[number] })
	if err := p.make(waiting); err != nil {
		return err
	}
	if err := p.send(ctx); err != nil {
		return err
	}
	for number := range waiting {
		p.sent[number] = true
	}
	return nil
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

// iterate sends along the edges of all chunks and applies, until there is nothing more to do;
// tell hears of each iteration and of all edges processed so far.
func (p *program) iterate(ctx context.Context, chunks map[uint32]*resident, tell func(*plugins.Iteration, uint64)) (edges uint64, err error) {
	if !p.report().Converged {
		err = p.make(chunks)
	}
	done := func(it *plugins.Iteration) {
		edges += p.matrix.edges
		tell(it, edges)
	}
	for err == nil && !p.report().Converged {
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
	done(p.report())
	return nil
}
