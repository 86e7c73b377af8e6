package network

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/kit"
)

// batchRoots are the roots of the passes over batches, or of the others.
func batchRoots(network *plugins.Network, batched bool) (roots []*dataflow.Value) {
	for _, p := range network.Passes {
		if p.Batched == batched {
			roots = append(roots, p.Roots...)
		}
	}
	return roots
}

// openBatch makes room for the graph of the largest batch.
func (t *Task) openBatch() error {
	at := t.network.Batch
	if at == nil {
		return nil
	}
	t.batch = &graph{vertices: int(at.Vertices), inputs: map[string]*input{}, given: t.graph.given, anew: true}
	values := dataflow.Order(t.network.Values, batchRoots(t.network, true)...)
	if neural.LooksAtEdges(values) {
		for end := range t.batch.ends {
			t.batch.ends[end] = &edges{lists: newLists(at.Vertices, at.Edges), names: t.names,
				properties: kept(4 * at.Edges * uint64(len(t.names)))}
		}
	}
	for _, v := range values {
		if err := t.batch.open(v, at.Inputs); err != nil {
			return err
		}
	}
	return nil
}

// Batch computes a pass over the graph that the host has brought.
func (t *Task) Batch(ctx context.Context, number int, size plugins.BatchSize, dropout dataflow.Dropout) (*stream.Work,
	error) {
	brought, err := kit.OpenBatch(t.job.Arena, t.network, size)
	if err != nil {
		return nil, err
	}
	return t.pass(ctx, number, size.Vertices, dropout, func() error { return t.sendBatch(ctx, brought) })
}

// sendBatch copies a batch to the card.
func (t *Task) sendBatch(ctx context.Context, brought kit.Batch) error {
	for end, e := range t.batch.ends {
		if e == nil {
			continue
		}
		if err := e.bring(ctx, t.streams, t.slab, brought.Lists[end]); err != nil {
			return err
		}
	}
	for name, in := range t.batch.inputs {
		if err := in.send(ctx, t.streams, t.slab, brought.Inputs[name]); err != nil {
			return err
		}
	}
	return nil
}

// bring copies lists to the card that stand as they shall.
func (e *edges) bring(ctx context.Context, s *stream.Streams, base driver.Pointer, l adjacency.Lists) error {
	begin := make([]uint64, len(l.Offsets))
	for v, at := range l.Offsets {
		begin[v] = uint64(at)
	}
	if err := e.send(ctx, s, base, begin); err != nil {
		return err
	}
	if err := s.CopyIn(ctx, s.Computing, base+driver.Pointer(e.others.at), bytesOf(l.Others)); err != nil {
		return err
	}
	single := make([]float32, len(l.Others))
	for k, name := range e.names {
		for i, x := range l.Properties[name] {
			single[i] = float32(x)
		}
		to := base + driver.Pointer(e.properties.at+uint64(k)*4*e.entries)
		if err := s.CopyIn(ctx, s.Computing, to, bytesOf(single)); err != nil {
			return err
		}
	}
	return nil
}
