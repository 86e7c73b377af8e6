package neural

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/kit"
)

// batches is plugins.ExtensionBatches on this device: each pass is a Network over the graph that lies in the arena,
// whose numbers are in the memory of the one before. It is ExtensionPortions as well.
type batches struct {
	job      plugins.Job
	network  *plugins.Network
	pool     parallel.Pool
	numbers  int                 // that the largest batch stores
	programs []*Network[float32] // of each pass, what does not depend on the graph; nil: the pass is not over batches
	values   [][]*dataflow.Value
	memory   slab[float32]
	degrees  []int64
}

// unbatched are the values of passes over the whole graph.
func unbatched(network *plugins.Network) []*dataflow.Value {
	if network.Batch == nil {
		return network.Values
	}
	var roots []*dataflow.Value
	for _, p := range network.Passes {
		if !p.Batched {
			roots = append(roots, p.Roots...)
		}
	}
	return dataflow.Order(network.Values, roots...)
}

// newBatches finds what batches take at most, of a workspace as well.
func newBatches(job plugins.Job, network *plugins.Network, pool parallel.Pool, size *workspaceSize) batches {
	b := batches{job: job, network: network, pool: pool}
	for _, p := range network.Passes {
		if p.Batched {
			vertices, edges := int(network.Batch.Vertices), int64(network.Batch.Edges)
			once, each := stored(network.Values, p.Roots, vertices, adjacency.SectionsOf(int64(vertices), edges),
				givenSparse(network.Batch.Inputs), size, false)
			b.numbers = max(b.numbers, once+each)
		}
	}
	return b
}

// bytes is what batches take beside the workspace and what passes leave: the arena's share, what is stored, and the
// lengths of lists.
func (b *batches) bytes() uint64 {
	if b.network.Batch == nil {
		return 0
	}
	return kit.BatchBytes(b.network.Batch) + 4*uint64(b.numbers) + 8*b.network.Batch.Vertices
}

// begin makes room.
func (b *batches) begin(work *workspace[float32]) error {
	b.programs, b.values = nil, nil
	for _, p := range b.network.Passes {
		if !p.Batched {
			b.programs, b.values = append(b.programs, nil), append(b.values, nil)
			continue
		}
		values := dataflow.Order(b.network.Values, p.Roots...)
		n := &Network[float32]{pool: b.pool, work: work, schedule: dataflow.NewSchedule(values, p.Roots...),
			known: newTable[[]float32](b.network.Values), roots: p.Roots,
			sparse: dataflow.Sparse(values, givenSparse(b.network.Batch.Inputs))}
		if err := bind(b.job.Arena, b.network, n); err != nil {
			return err
		}
		b.programs, b.values = append(b.programs, n), append(b.values, values)
	}
	if b.network.Batch != nil {
		b.memory.all, b.degrees = make([]float32, b.numbers), make([]int64, b.network.Batch.Vertices)
	}
	return nil
}

// Batch computes a pass over the graph that the host has brought.
func (b *batches) Batch(ctx context.Context, number int, size plugins.BatchSize, dropout dataflow.Dropout) (
	edges uint64, err error) {
	if number >= len(b.programs) || b.programs[number] == nil {
		return 0, plugins.Errorf(plugins.KindInvalid, "pass %d is not over batches", number)
	}
	brought, err := kit.OpenBatch(b.job.Arena, b.network, size)
	if err != nil {
		return 0, err
	}
	n := *b.programs[number]
	n.known, n.graph, n.whole = slices.Clone(n.known), b.graph(brought, int(size.Vertices)), brought.Rows
	n.memory = [2]*slab[float32]{&b.memory, &b.memory}
	b.memory.used = 0
	inputs := map[string]Rows[float32]{}
	for name, rows := range brought.Inputs {
		if inputs[name] = (Rows[float32]{Dense: rows.Numbers}); rows.Offsets != nil {
			inputs[name] = Rows[float32]{Offsets: rows.Offsets, Columns: rows.Columns, Values: rows.Numbers}
		}
	}
	if err := n.begin(b.values[number], inputs); err != nil {
		return 0, plugins.Errorf(plugins.KindInvalid, "%w", err)
	}
	p := b.network.Passes[number]
	dropout.Off = !p.Drops
	if err := n.Run(ctx, dropout); err != nil {
		return 0, err
	}
	return n.edges(), leave(b.job.Arena, p, &n, p.Roots)
}

// graph is a batch as networks go through it.
func (b *batches) graph(brought kit.Batch, vertices int) Graph {
	g := Graph{Vertices: vertices, Ends: brought.Lists}
	for end, lists := range g.Ends {
		for v := range vertices {
			b.degrees[v] = lists.Offsets[v+1] - lists.Offsets[v]
		}
		g.Sections[end] = adjacency.Sections(b.degrees[:vertices])
	}
	return g
}
