package network

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/kit"
)

// plugins.ExtensionBatches on this device. A graph that the host brings is a Task of its own for as long as its pass
// takes: matrices of its pairs, and sessions of their shapes. So what a batch takes grows with the square of its
// vertices, whatever the graph has. It is plugins.ExtensionPortions as well.
//
//	lists and rows in the arena ──▶ a Task ──Pass──▶ roots in the arena

// batchPlan is what the largest batch takes.
type batchPlan struct {
	of     *Task
	bytes  uint64  // but for blocks
	stages int     // of the pass that has most
	tasks  []*Task // of each batched pass
}

// planBatches finds what batches take but for their blocks. Passes follow each other, and the largest counts.
func planBatches(t *Task) (b batchPlan) {
	at := t.network.Batch
	if b.of = t; at == nil {
		return b
	}
	for i, p := range t.network.Passes {
		if !p.Batched {
			continue
		}
		of := batchTask(t, i, at.Vertices, at.Inputs)
		bytes, _, stages := needs(of)
		b.bytes, b.stages, b.tasks = max(b.bytes, bytes), max(b.stages, stages), append(b.tasks, of)
	}
	for range at.Lists {
		b.bytes += adjacency.Bytes(at.Vertices, at.Edges, len(t.names), false) + 8*at.Vertices
	}
	b.bytes += kit.BatchBytes(at)
	return b
}

// choose chooses blocks that take no more than limit each, and says what they take.
func (b *batchPlan) choose(limit uint64) (most uint64, err error) {
	b.of.batchLimit = limit
	for _, of := range b.tasks {
		bytes, err := choose(of, limit)
		if err != nil {
			return 0, err
		}
		most = max(most, bytes)
	}
	return most, nil
}

// batchTask is the task of a batched pass over a graph of so many vertices.
func batchTask(t *Task, number int, vertices uint64, inputs []plugins.Tensor) *Task {
	network, job := *t.network, t.job
	p := network.Passes[number]
	p.Batched = false
	network.Batch, network.Grid, network.Inputs, network.Passes = nil, nil, inputs, []plugins.NetworkPass{p}
	job.Graph.Vertices, job.Graph.Directed = vertices, true // lists of both ends come
	of := newTask(t.on, job, plugins.Task{Network: &network}, t.budget)
	of.findDropped()
	of.passes = []*pass{newPass(network.Values, p)}
	return of
}

// Batch computes a pass over the graph that the host has brought.
func (t *Task) Batch(ctx context.Context, number int, size plugins.BatchSize, dropout dataflow.Dropout) (edges uint64,
	err error) {
	brought, err := kit.OpenBatch(t.job.Arena, t.network, size)
	if err != nil {
		return 0, err
	}
	of := batchTask(t, number, size.Vertices, broughtInputs(t.network.Batch, brought))
	if _, err := choose(of, t.batchLimit); err != nil {
		return 0, err
	}
	of.whole = brought.Rows
	defer of.Close()
	if err := open(of, brought); err != nil {
		return 0, err
	}
	return of.Pass(ctx, 0, dropout)
}

// open makes matrices and sessions of what has been brought.
func open(t *Task, brought kit.Batch) error {
	var lists [2]*adjacency.Lists
	for end := range lists {
		sorted, err := sortedLists(&brought.Lists[end], t.names)
		if err != nil {
			return err
		}
		lists[end] = &sorted
	}
	err := pair(t, lists)
	if err == nil {
		err = t.fill(map[string][]float32{})
	}
	if err == nil {
		err = t.build(t.passes[0])
	}
	t.ready = err == nil
	return err
}

// sortedLists are lists as a Builder leaves them: by vertex, so that parallel edges stand beside each other.
func sortedLists(l *adjacency.Lists, names []string) (adjacency.Lists, error) {
	degrees := make([]int64, len(l.Offsets)-1)
	for v := range degrees {
		degrees[v] = l.Offsets[v+1] - l.Offsets[v]
	}
	to := adjacency.NewBuilder(0, degrees, names, false)
	properties := make([][]float64, len(names))
	for v := range degrees {
		from, end := l.Offsets[v], l.Offsets[v+1]
		for i, name := range names {
			properties[i] = l.Properties[name][from:end]
		}
		if !to.Add(v, 0, l.Others[from:end], properties) {
			return adjacency.Lists{}, plugins.Errorf(plugins.KindInvalid, "a list of a batch has more edges than it says")
		}
	}
	lists, err := to.Complete()
	if err != nil {
		return lists, plugins.Errorf(plugins.KindInvalid, "%w", err)
	}
	return lists, nil
}

// broughtInputs are the inputs of a batch, as long as they are in this one.
func broughtInputs(at *plugins.Batch, brought kit.Batch) (inputs []plugins.Tensor) {
	first := func(of arena.Range, count, size int) arena.Range {
		of.Length = uint64(count * size)
		return of
	}
	for _, in := range at.Inputs {
		rows := brought.Inputs[in.Name]
		in.Numbers = first(in.Numbers, len(rows.Numbers), 4)
		if rows.Offsets != nil {
			in.Offsets = first(in.Offsets, len(rows.Offsets), 8)
			in.Columns = first(in.Columns, len(rows.Columns), 4)
		}
		inputs = append(inputs, in)
	}
	return inputs
}
