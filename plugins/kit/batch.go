package kit

import (
	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Batch is the graph that the host has brought for a batched pass, as it lies in the arena.
type Batch struct {
	Lists  [2]adjacency.Lists   // by dataflow.End
	Inputs map[string]grid.Rows // by name
	Rows   []uint32             // of a portion: of each vertex, its row in the whole; nil: the batch is whole
}

// BatchBytes is what a batch takes of the arena at most.
func BatchBytes(b *plugins.Batch) (bytes uint64) {
	if b == nil {
		return 0
	}
	bytes = b.Rows.Length
	for _, l := range b.Lists {
		bytes += l.Offsets.Length + l.Others.Length
		for _, p := range l.Properties {
			bytes += p.Length
		}
	}
	for _, in := range b.Inputs {
		bytes += in.Numbers.Length + in.Offsets.Length + in.Columns.Length
	}
	return bytes
}

// OpenBatch finds a batch of such a size in the arena, and refuses one whose numbers do not fit together.
func OpenBatch(memory *arena.Arena, network *plugins.Network, size plugins.BatchSize) (b Batch, err error) {
	at := network.Batch
	if size.Vertices > at.Vertices || size.Edges > at.Edges {
		return b, plugins.Errorf(plugins.KindInvalid, "a batch of %d vertices and %d edges: there is room for %d and %d",
			size.Vertices, size.Edges, at.Vertices, at.Edges)
	}
	names := dataflow.EdgeProperties(network.Values)
	for end, lists := range at.Lists {
		if b.Lists[end], err = openLists(memory, lists, size, names); err != nil {
			return b, plugins.Errorf(plugins.KindInvalid, "lists of a batch by their %v: %w", dataflow.End(end), err)
		}
	}
	if at.Rows != (arena.Range{}) {
		if b.Rows, err = part(memory.Uint32s, at.Rows, size.Vertices, 4); err != nil {
			return b, plugins.Errorf(plugins.KindInvalid, "rows of a portion: %w", err)
		}
	}
	widths := map[string]int{}
	for _, v := range network.Values {
		if v.Op == dataflow.Input {
			widths[v.Name] = v.Width
		}
	}
	b.Inputs = map[string]grid.Rows{}
	for _, in := range at.Inputs {
		if b.Inputs[in.Name], err = openRows(memory, in, size.Vertices, widths[in.Name]); err != nil {
			return b, plugins.Errorf(plugins.KindInvalid, "input %s of a batch: %w", in.Name, err)
		}
	}
	return b, nil
}

func openLists(memory *arena.Arena, at plugins.BatchLists, size plugins.BatchSize, names []string) (l adjacency.Lists,
	err error) {
	if l.Offsets, err = part(memory.Int64s, at.Offsets, size.Vertices+1, 8); err != nil {
		return l, err
	}
	if l.Others, err = part(memory.Uint32s, at.Others, size.Edges, 4); err != nil {
		return l, err
	}
	if len(at.Properties) != len(names) {
		return l, plugins.Errorf(plugins.KindInvalid, "%d properties of edges, not %d", len(at.Properties), len(names))
	}
	l.Properties = map[string][]float64{}
	for i, name := range names {
		if l.Properties[name], err = part(memory.Float64s, at.Properties[i], size.Edges, 8); err != nil {
			return l, err
		}
	}
	if err := ascend(l.Offsets, size.Edges); err != nil {
		return l, err
	}
	for e, u := range l.Others {
		if uint64(u) >= size.Vertices {
			return l, plugins.Errorf(plugins.KindInvalid, "edge %d leads to vertex %d of %d", e, u, size.Vertices)
		}
	}
	return l, nil
}

// ascend refuses offsets that do not go from 0 to an end.
func ascend(offsets []int64, end uint64) error {
	for i := range offsets[1:] {
		if offsets[i] > offsets[i+1] {
			return plugins.Errorf(plugins.KindInvalid, "row %d ends before it begins", i)
		}
	}
	if offsets[0] != 0 || offsets[len(offsets)-1] != int64(end) {
		return plugins.Errorf(plugins.KindInvalid, "rows go from %d to %d, not from 0 to %d", offsets[0],
			offsets[len(offsets)-1], end)
	}
	return nil
}

func openRows(memory *arena.Arena, at plugins.Tensor, vertices uint64, width int) (rows grid.Rows, err error) {
	if at.Offsets == (arena.Range{}) {
		rows.Numbers, err = part(memory.Float32s, at.Numbers, vertices*uint64(width), 4)
		return rows, err
	}
	if rows.Offsets, err = part(memory.Int64s, at.Offsets, vertices+1, 8); err != nil {
		return rows, err
	}
	entries := uint64(max(rows.Offsets[vertices], 0))
	if err = ascend(rows.Offsets, entries); err != nil {
		return rows, err
	}
	if rows.Numbers, err = part(memory.Float32s, at.Numbers, entries, 4); err == nil {
		rows.Columns, err = part(memory.Uint32s, at.Columns, entries, 4)
	}
	for _, c := range rows.Columns {
		if int(c) >= width {
			return rows, plugins.Errorf(plugins.KindInvalid, "column %d of %d", c, width)
		}
	}
	return rows, err
}

// part is so many numbers at the beginning of a range.
func part[T any](open func(arena.Range) ([]T, error), at arena.Range, count, size uint64) ([]T, error) {
	if count > at.Length/size {
		return nil, plugins.Errorf(plugins.KindInvalid, "%d numbers of %d bytes in a range of %d bytes", count, size, at.Length)
	}
	return open(arena.Range{Offset: at.Offset, Length: count * size})
}
