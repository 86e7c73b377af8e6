package csr

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats/chunk"
)

// sparse is a chunk that names some of n vertices, from a base on, each with a few edges.
func sparse(t *rapid.T, n int) *Chunk {
	base := rapid.IntRange(0, n-1).Draw(t, "base")
	rows := chunk.Interval{Base: uint64(base), Count: uint64(n - base)}
	r := &Chunk{Rows: rows, Vertices: []uint32{}, Offsets: []int32{0}}
	all := rapid.IntRange(0, 9).Draw(t, "all") == 0
	for v := range n - base {
		if !all && rapid.IntRange(0, 3).Draw(t, "has") > 0 {
			continue
		}
		for range rapid.IntRange(1, 3).Draw(t, "edges") {
			r.Neighbors = append(r.Neighbors, 0)
		}
		r.Vertices, r.Offsets = append(r.Vertices, uint32(v)), append(r.Offsets, int32(len(r.Neighbors)))
	}
	if all {
		r.Vertices = nil
	}
	return r
}

// However chunks come and go, the index has of each vertex the lists that searching all chunks finds; also where there
// is no room for the entries of all. In the end all entries are free again.
func TestWordIndex_FindsAllLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		x, free := NewWordIndex(n), 0
		var chunks []*Chunk
		for range rapid.IntRange(1, 15).Draw(t, "steps") {
			if len(chunks) > 0 && rapid.IntRange(0, 3).Draw(t, "remove") == 0 {
				i := rapid.IntRange(0, len(chunks)-1).Draw(t, "which")
				x.Remove(chunks[i])
				chunks = append(chunks[:i], chunks[i+1:]...)
			} else {
				r := sparse(t, n)
				chunks = append(chunks, r)
				x.Add(r)
			}
			for v := range n {
				found := map[List]bool{}
				for _, l := range x.Lists(uint32(v), nil) {
					found[l] = true
				}
				want := 0
				for _, r := range chunks {
					row, from, to := r.Row(v)
					if from < to {
						want++
					}
					if from < to && !found[List{r, row, from, to}] {
						t.Fatalf("the list of %d in a chunk is not found", v)
					}
				}
				if len(found) != want {
					t.Fatalf("vertex %d: %d lists, not %d", v, len(found), want)
				}
			}
		}
		for _, r := range chunks {
			x.Remove(r)
		}
		for entry := x.unused; entry != 0; entry = x.entries[entry].next {
			free++
		}
		if free != len(x.entries)-1 || len(x.searched) > 0 {
			t.Fatalf("%d of %d entries are free; %d chunks are left", free, len(x.entries)-1, len(x.searched))
		}
	})
}
