package solve

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// csr is a chunk as the host has it.
type csr struct {
	base      uint64
	vertices  []uint32 // nil: all
	offsets   []int32
	neighbors []uint32
	weights   []float64
}

// randomCSR has rows without edges, and a few long ones.
func randomCSR(random *rand.Rand) csr {
	c := csr{base: random.Uint64N(200), offsets: []int32{0}}
	rows, sparse := random.IntN(1500), random.IntN(2) == 0
	for row := range rows {
		if sparse {
			c.vertices = append(c.vertices, uint32(2*row+random.IntN(2)))
		}
		for range []int{0, random.IntN(4), random.IntN(40), 0, random.IntN(600)}[random.IntN(5)] {
			c.neighbors = append(c.neighbors, random.Uint32N(1000))
			c.weights = append(c.weights, random.Float64())
		}
		c.offsets = append(c.offsets, int32(len(c.neighbors)))
	}
	return c
}

func (c csr) local(row int) uint32 {
	if c.vertices == nil {
		return uint32(row)
	}
	return c.vertices[row]
}

// among is what c has of a set, row by row.
func (c csr) among(set []uint64) csr {
	part := csr{base: c.base, vertices: []uint32{}, offsets: []int32{0}}
	for row := range len(c.offsets) - 1 {
		v, from, to := c.base+uint64(c.local(row)), c.offsets[row], c.offsets[row+1]
		if from == to || set[v/64]>>(v%64)&1 == 0 {
			continue
		}
		part.vertices = append(part.vertices, c.local(row))
		part.neighbors = append(part.neighbors, c.neighbors[from:to]...)
		part.weights = append(part.weights, c.weights[from:to]...)
		part.offsets = append(part.offsets, int32(len(part.neighbors)))
	}
	return part
}

// pinned has values in memory of the host that the card reads in place.
func pinned[T any](r *rig, values []T) driver.Pointer {
	memory, err := driver.AllocPinned(uint64(len(bytesIn(values))) + 8)
	r.must(err)
	r.Cleanup(func() { r.must(driver.FreePinned(memory)) })
	copy(memory, bytesIn(values))
	return addressOf(memory)
}

// pin gives c to the card, its lists where they are.
func (r *rig) pin(c csr) driver.Pointer {
	chunk := kernels.Chunk{Rows: uint64(len(c.offsets) - 1), Edges: uint64(len(c.neighbors)), RowsBase: c.base,
		ColsBase: 7,
		Offsets:  pinned(r, c.offsets), Neighbors: pinned(r, c.neighbors)}
	if c.vertices != nil {
		chunk.Vertices = pinned(r, c.vertices)
	}
	chunk.Columns[0] = pinned(r, c.weights)
	return onCard(r, chunk)
}

// TestSubgraph has the card cut chunks that lie in the host's memory to sets of every density.
func TestSubgraph(t *testing.T) {
	random, rig := testseed.Rand(t), newRig(t)
	for range 25 {
		whole := randomCSR(random)
		set, density := make([]uint64, 60), random.Float64()
		for v := range 64 * len(set) {
			if random.Float64() < density*density {
				set[v/64] |= 1 << (v % 64)
			}
		}
		got, size := rig.subgraph(whole, set)
		want := whole.among(set)
		if size.Invalid != 0 || size.Rows != uint64(len(want.vertices)) || size.Edges != uint64(len(want.neighbors)) {
			t.Fatalf("%+v, want %d rows and %d edges", size, len(want.vertices), len(want.neighbors))
		}
		if !slices.Equal(got.vertices, want.vertices) || !slices.Equal(got.offsets, want.offsets) ||
			!slices.Equal(got.neighbors, want.neighbors) || !slices.Equal(got.weights, want.weights) || got.base != want.base {
			t.Fatalf("of %d rows, those wanted are %d and %v", len(whole.offsets)-1, got.vertices, got.offsets)
		}
	}
}

// subgraph is what c has of a set, cut by the card.
func (r *rig) subgraph(c csr, set []uint64) (csr, kernels.Subgraph) {
	cut, size := r.count(c, set)
	to := kernels.Chunk{Vertices: r.alloc(4*size.Rows + 4), Offsets: r.alloc(4*size.Rows + 4),
		Neighbors: r.alloc(4*size.Edges + 4)}
	to.Columns[0] = r.alloc(8*size.Edges + 8)
	at := onCard(r, to)
	r.must(r.kernels.GatherSubgraph(r.stream, cut, at, size.Edges, 1))
	got := fromCard[kernels.Chunk](r, at, 1)[0]
	if got.Rows != size.Rows || got.Edges != size.Edges || got.ColsBase != 7 {
		r.Fatalf("%+v, want %+v", got, size)
	}
	return csr{base: got.RowsBase, vertices: fromCard[uint32](r, to.Vertices, int(size.Rows)),
		offsets:   fromCard[int32](r, to.Offsets, int(size.Rows)+1),
		neighbors: fromCard[uint32](r, to.Neighbors, int(size.Edges)),
		weights:   fromCard[float64](r, to.Columns[0], int(size.Edges))}, size
}

// count is the first half of it.
func (r *rig) count(c csr, set []uint64) (kernels.Cut, kernels.Subgraph) {
	rows := uint64(len(c.offsets) - 1)
	cut := kernels.Cut{From: r.pin(c), Rows: rows, Set: onCard(r, set...), Size: onCard(r, kernels.Subgraph{}),
		Scratch: r.alloc(kernels.SubgraphScratch(rows))}
	r.must(r.kernels.CountSubgraph(r.stream, cut))
	return cut, fromCard[kernels.Subgraph](r, cut.Size, 1)[0]
}

// TestSubgraph_Damaged tells of offsets that do not ascend or lead beyond the chunk, and wants none of their rows.
func TestSubgraph_Damaged(t *testing.T) {
	random, rig := testseed.Rand(t), newRig(t)
	for _, damage := range []int32{-1, 1 << 30, -1 << 31} {
		c := randomCSR(random)
		c.offsets = append(c.offsets, int32(len(c.neighbors)), int32(len(c.neighbors)))
		if c.vertices != nil {
			c.vertices = append(c.vertices, 3001, 3002)
		}
		c.offsets[len(c.offsets)-2] = damage
		all := make([]uint64, 60)
		for i := range all {
			all[i] = ^uint64(0)
		}
		if _, size := rig.count(c, all); size.Invalid == 0 || size.Edges > uint64(len(c.neighbors)) {
			t.Fatalf("offset %d of %d edges: %+v", damage, len(c.neighbors), size)
		}
	}
}
