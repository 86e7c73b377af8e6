package diameter

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// bounding searches from few vertices of a component, and bounds how far the farthest is from the others.
type bounding struct {
	components
	name        string
	result      []int64
	least, most []int32
	open        []uint32 // vertices of which more is to be known
}

func init() {
	for _, name := range []string{"diameter", "eccentricity"} {
		procedures.Register(name, func(f procedures.Input) (procedures.Procedure, error) {
			c, err := newComponents(f)
			if err == nil {
				err = f.Columns.Require(algorithms.Column{Name: name, Type: algorithms.Int})
			}
			return &bounding{components: c, name: name, result: f.Columns[name].Ints}, err
		})
	}
}

// Scratch: bounds of each vertex, and which are open.
func (b *bounding) Scratch() uint64 { return b.components.Scratch() + 12*uint64(b.N) }

func (b *bounding) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	b.least, b.most, b.open = make([]int32, b.N), make([]int32, b.N), make([]uint32, 0, b.N)
	return b.run(ctx, chunks, tell, func(ctx context.Context, members []uint32) error {
		if b.name == "eccentricity" {
			_, err := b.search(ctx, members, func(v uint32, _ int32) bool { return b.least[v] < b.most[v] })
			for _, v := range members {
				b.result[v] = int64(b.least[v])
			}
			return err
		}
		largest, err := b.search(ctx, members, func(v uint32, largest int32) bool { return b.most[v] > largest })
		for _, v := range members {
			b.result[v] = int64(largest)
		}
		return err
	})
}

// search goes from those open vertices of a component that have the largest and the smallest bounds, in turn, until
// none is open. A vertex at distance d from one whose farthest is at f has its farthest at max(d, f-d) to f+d. It
// returns the largest distance that it has seen. (Takes and Kosters 2011 and 2013.)
func (b *bounding) search(ctx context.Context, members []uint32,
	open func(v uint32, largest int32) bool) (largest int32, err error) {
	b.open = append(b.open[:0], members...)
	for _, v := range members {
		b.least[v], b.most[v] = 0, int32(len(members)-1)
	}
	for round := 0; len(b.open) > 0 && err == nil; round++ {
		source := b.next(round%2 == 0)
		found := b.from(source)
		_, far := found.farthest()
		largest = max(largest, far)
		for _, v := range b.open {
			d := found.distance[v]
			b.least[v], b.most[v] = max(b.least[v], d, far-d), min(b.most[v], far+d)
		}
		b.most[source] = far
		kept := b.open[:0]
		for _, v := range b.open {
			if open(v, largest) {
				kept = append(kept, v)
			}
		}
		b.open, err = kept, ctx.Err()
	}
	return largest, err
}

// next is the open vertex with the largest of the upper bounds, or the smallest of the lower ones; of several that of
// the most edges.
func (b *bounding) next(largest bool) uint32 {
	best := b.open[0]
	for _, v := range b.open {
		better := b.least[best] - b.least[v]
		if largest {
			better = b.most[v] - b.most[best]
		}
		if better > 0 || better == 0 && b.degree(v) > b.degree(best) {
			best = v
		}
	}
	return best
}
