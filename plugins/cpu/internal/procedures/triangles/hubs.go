package triangles

import (
	"context"
	"math"
	"math/bits"

	"github.com/penstock-db/penstock/plugins"
)

// hubMatrix is the matrix of the hubs, a bit a pair: who is joined to whom by an edge out,
// or in. It is symmetric where direction does not matter, out and in then being one.
type hubMatrix struct {
	words     int // a row
	symmetric bool
	out, in   []uint64
}

// maxHubs bounds the matrix to 8 MiB, which stays in cache.
const maxHubs = 8192

// hubCount is the number of vertices that are hubs: of so many the matrix takes no more
// memory than the edges do as links.
func hubCount(g plugins.Graph) int {
	most := min(g.Vertices, uint64(math.Sqrt(32*float64(g.Edges))), maxHubs)
	return int(most) &^ 63
}

// matrices is one, or two where direction matters.
func matrices(symmetric bool) uint64 {
	if symmetric {
		return 1
	}
	return 2
}

func newHubMatrix(rows, hubs int, symmetric bool) hubMatrix {
	a := hubMatrix{words: hubs / 64, symmetric: symmetric, out: make([]uint64, rows*hubs/64)}
	a.in = a.out
	if !symmetric {
		a.in = make([]uint64, len(a.out))
	}
	return a
}

// join enters the list of rank into its row and into those of the others.
func (a hubMatrix) join(rank int, list []link) {
	for _, l := range list {
		a.put(rank, l.rank(), uint8(l&1), uint8(l>>1&1))
		a.put(l.rank(), rank, uint8(l>>1&1), uint8(l&1))
	}
}

func (a hubMatrix) put(row, col int, out, in uint8) {
	at, bit := row*a.words+col/64, col%64
	a.out[at] |= uint64(out) << bit
	a.in[at] |= uint64(in) << bit
}

// adjacent makes the matrix of the hubs, whose lists name hubs alone.
func (c *Counter) adjacent(ctx context.Context, o *oriented) hubMatrix {
	a := newHubMatrix(c.hubs, c.hubs, c.symmetric)
	for rank := 0; rank < c.hubs && ctx.Err() == nil; rank++ {
		a.join(rank, o.list(rank))
	}
	return a
}

// common is the number of ones that two rows share.
func common(a, b []uint64) (count int64) {
	b = b[:len(a)]
	for i, word := range a {
		count += int64(bits.OnesCount64(word & b[i]))
	}
	return count
}

// edgesFrom is the number of edges out of one vertex to the neighbors of another.
func edgesFrom(out, otherOut, otherIn []uint64) (count int64) {
	n := len(out)
	otherOut, otherIn = otherOut[:n], otherIn[:n]
	for i, word := range out {
		count += int64(bits.OnesCount64(word & (otherOut[i] | otherIn[i])))
	}
	return count
}

// edgesTo is the number of edges, out and in, of one vertex to the neighbors of another.
func edgesTo(out, in, otherOut, otherIn []uint64) (count int64) {
	n := len(out)
	in, otherOut, otherIn = in[:n], otherOut[:n], otherIn[:n]
	for i := range out {
		near := otherOut[i] | otherIn[i]
		count += int64(bits.OnesCount64(out[i]&near) + bits.OnesCount64(in[i]&near))
	}
	return count
}
