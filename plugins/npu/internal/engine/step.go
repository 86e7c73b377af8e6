package engine

import (
	"context"
	"maps"

	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/edges"
	"github.com/penstock-db/penstock/plugins/npu/internal/lane"
	"github.com/penstock-db/penstock/plugins/npu/internal/matrix"
)

// Step sends along the edges of a chunk. All that are resident are one matrix, so that the first
// Step of an iteration sends along the edges of all of them: no vertex is active that would send along
// those of a chunk that is not stepped. A chunk that comes later makes another matrix.
func (p *Program) Step(ctx context.Context, c *kit.Chunk) (count uint64, err error) {
	count = uint64(c.Edges())
	if p.sent[c.Number] {
		return count, nil
	}
	waiting := maps.Clone(p.chunks)
	maps.DeleteFunc(waiting, func(number uint32, _ *edges.Chunk) bool { return p.sent[number] })
	m, err := p.maker.Of(waiting)
	if err != nil {
		return count, err
	}
	if err := send(ctx, m, p.lanes); err != nil {
		return count, err
	}
	for number := range waiting {
		p.sent[number] = true
	}
	return count, nil
}

// send brings the messages of active vertices to the accumulators.
func send(ctx context.Context, m *matrix.Matrix, lanes []*lane.Lane) error {
	var senders [][]uint64
	for _, l := range lanes {
		senders = append(senders, l.Active)
	}
	if err := m.Send(ctx, lanes, senders...); err != nil {
		return err
	}
	for i, l := range lanes {
		l.Combine(m.Came(i).Acc, m.Linked())
		m.Later(i, l.Left)
	}
	return nil
}
