package neural

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// taking is the edges at one end on their way from chunks, which come in any order.
type taking struct {
	lists      Lists
	taken      []int64 // by vertex: where its next edge goes
	properties []string
	selfLoops  bool
}

// bytes is what lists of so many entries take, and take on their way.
func listBytes(vertices, entries uint64, properties int, selfLoops bool) uint64 {
	if selfLoops {
		entries += vertices
	}
	return 16*(vertices+1) + entries*(4+8*uint64(properties))
}

// newTaking makes room for as many edges as degrees say, and for one more each where each vertex is to be its own
// neighbor.
func newTaking(degrees []int64, properties []string, selfLoops bool) *taking {
	t := &taking{lists: Lists{Offsets: make([]int64, len(degrees)+1), Properties: map[string][]float64{}},
		taken: make([]int64, len(degrees)), properties: properties, selfLoops: selfLoops}
	for v, d := range degrees {
		t.taken[v] = t.lists.Offsets[v]
		t.lists.Offsets[v+1] = t.lists.Offsets[v] + d
		if selfLoops {
			t.lists.Offsets[v+1]++
		}
	}
	t.lists.Others = make([]uint32, t.lists.Offsets[len(degrees)])
	for _, p := range properties {
		t.lists.Properties[p] = make([]float64, len(t.lists.Others))
	}
	return t
}

// take takes the rows of a chunk.
func (t *taking) take(ctx context.Context, pool parallel.Pool, c *csr.Chunk) error {
	rows := len(c.Offsets) - 1
	tooMany := make([]bool, parallel.BlockCount(rows))
	err := pool.Blocks(ctx, rows, func(_, block, from, to int) {
		for row := from; row < to; row++ {
			v := int(c.Rows.Base) + c.Local(row)
			first, last, at := int(c.Offsets[row]), int(c.Offsets[row+1]), t.taken[v]
			if at+int64(last-first) > t.room(v) {
				tooMany[block] = true
				continue
			}
			for e := first; e < last; e++ {
				t.lists.Others[at+int64(e-first)] = uint32(c.Cols.Base) + c.Neighbors[e]
			}
			for i, p := range t.properties {
				copy(t.lists.Properties[p][at:], c.Weights[i][first:last])
			}
			t.taken[v] = at + int64(last-first)
		}
	})
	if err == nil && slices.Contains(tooMany, true) {
		return plugins.Errorf(plugins.KindInvalid, "a list has more edges than the degree of its vertex says")
	}
	return err
}

// room is where the edges of v must end that come from chunks.
func (t *taking) room(v int) int64 {
	if t.selfLoops {
		return t.lists.Offsets[v+1] - 1
	}
	return t.lists.Offsets[v+1]
}

// complete is the lists when all chunks have come: sorted, so that the order of chunks does not matter, and with each
// vertex as a neighbor of itself if so it shall be.
func (t *taking) complete() (Lists, error) {
	for v, at := range t.taken {
		if at != t.room(v) {
			return Lists{}, plugins.Errorf(plugins.KindInvalid, "lists of vertex %d have not come: it has %d edges of %d", v,
				at-t.lists.Offsets[v], t.room(v)-t.lists.Offsets[v])
		}
	}
	if t.selfLoops {
		t.loop()
	}
	l := t.lists
	for v := range t.taken {
		l.sort(l.Offsets[v], l.Offsets[v+1])
	}
	t.taken = nil
	return l, nil
}

// loop makes each vertex a neighbor of itself, once. Edge properties of what it adds are 1.
func (t *taking) loop() {
	l, to := &t.lists, int64(0)
	for v := range t.taken {
		from, end := l.Offsets[v], t.taken[v]
		l.Offsets[v] = to
		found := false
		for e := from; e < end; e++ {
			if l.Others[e] == uint32(v) {
				if found {
					continue
				}
				found = true
			}
			l.move(to, e)
			to++
		}
		if !found {
			l.Others[to] = uint32(v)
			for _, p := range l.Properties {
				p[to] = 1
			}
			to++
		}
	}
	l.Offsets[len(t.taken)] = to
	l.Others = l.Others[:to]
	for name, p := range l.Properties {
		l.Properties[name] = p[:to]
	}
}

// move puts an entry in another's place.
func (l *Lists) move(to, from int64) {
	l.Others[to] = l.Others[from]
	for _, p := range l.Properties {
		p[to] = p[from]
	}
}

// sort sorts the entries [from, to) by neighbors; of parallel edges, by their properties.
func (l *Lists) sort(from, to int64) {
	list := l.Others[from:to]
	if len(l.Properties) == 0 {
		if !slices.IsSorted(list) {
			slices.Sort(list)
		}
		return
	}
	names := make([]string, 0, len(l.Properties))
	for name := range l.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	compare := func(a, b int) int {
		by := cmp.Compare(list[a], list[b])
		for _, name := range names {
			by = cmp.Or(by, cmp.Compare(l.Properties[name][from:][a], l.Properties[name][from:][b]))
		}
		return by
	}
	if slices.IsSortedFunc(order, compare) {
		return
	}
	slices.SortFunc(order, compare)
	permute(list, order)
	for _, p := range l.Properties {
		permute(p[from:to], order)
	}
}

// permute puts values in an order.
func permute[V any](values []V, order []int) {
	old := slices.Clone(values)
	for i, from := range order {
		values[i] = old[from]
	}
}

// degrees are the lengths of lists.
func (l *Lists) degrees() []float32 {
	all := make([]float32, len(l.Offsets)-1)
	for v := range all {
		all[v] = float32(l.Offsets[v+1] - l.Offsets[v])
	}
	return all
}

// checkVertices refuses graphs whose vertices 32 bits do not number.
func checkVertices(n uint64) error {
	if n > math.MaxUint32 {
		return plugins.Errorf(plugins.KindUnsupported, "networks are computed over up to %d vertices",
			uint32(math.MaxUint32))
	}
	return nil
}
