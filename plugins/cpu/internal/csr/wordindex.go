package csr

import (
	"math/bits"

	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// WordIndex finds the lists of a vertex among chunks that come and go, each of which names a few vertices of the whole
// graph. To add or to remove one takes as long as it has rows.
//
//	vertex/64 ──heads──▶ entry: chunk, which of the 64 have a row, the first row ──next──▶ entry …
//
// Chunks that have a row of every vertex need no entries. Nor have chunks any for which there is no room: their
// vertices are searched.
type WordIndex struct {
	heads    []int32 // of each word, the number of its first entry; 0: none
	entries  []wordEntry
	unused   int32 // the first of those that are free; 0: none
	searched []*Chunk
}

// wordEntry is the rows that a chunk has of 64 vertices.
type wordEntry struct {
	chunk    *Chunk
	vertices uint64 // those of the word that have a row
	first    int32  // the row of the first of them
	next     int32
}

// entriesOfWord is how many chunks there is room for in each word, on average. Hosts that send lists in the order in
// which they are needed have a few on a device at once.
const entriesOfWord = 4

const wordEntryBytes = 24

// WordIndexBytes is what the index of a graph of n vertices takes.
func WordIndexBytes(n int) uint64 {
	words := uint64(bitmap.Words(n))
	return 4*words + wordEntryBytes*(1+entriesOfWord*words)
}

// NewWordIndex is that of a graph of n vertices, without chunks.
func NewWordIndex(n int) *WordIndex {
	words := bitmap.Words(n)
	x := &WordIndex{heads: make([]int32, words), entries: make([]wordEntry, 1+entriesOfWord*words)}
	for i := len(x.entries) - 1; i > 0; i-- {
		x.give(int32(i))
	}
	return x
}

func (x *WordIndex) give(entry int32) {
	x.entries[entry] = wordEntry{next: x.unused}
	x.unused = entry
}

// Add makes the lists of a chunk known.
func (x *WordIndex) Add(r *Chunk) {
	for row := 0; r.Vertices != nil && row < len(r.Vertices); {
		if x.unused == 0 {
			x.Remove(r)
			break
		}
		entry := x.unused
		e := &x.entries[entry]
		x.unused = e.next
		word := r.vertex(row) / 64
		*e = wordEntry{chunk: r, first: int32(row), next: x.heads[word]}
		for ; row < len(r.Vertices) && r.vertex(row)/64 == word; row++ {
			e.vertices |= 1 << (r.vertex(row) % 64)
		}
		x.heads[word] = entry
		if row == len(r.Vertices) {
			return
		}
	}
	x.searched = append(x.searched, r)
}

// vertex is that of a row of a chunk that names its vertices.
func (r *Chunk) vertex(row int) uint64 { return r.Rows.Base + uint64(r.Vertices[row]) }

// Remove forgets a chunk.
func (x *WordIndex) Remove(r *Chunk) {
	for i, other := range x.searched {
		if other == r {
			x.searched = append(x.searched[:i], x.searched[i+1:]...)
			return
		}
	}
	for row := 0; row < len(r.Vertices); {
		word := r.vertex(row) / 64
		x.removeFrom(word, r)
		for ; row < len(r.Vertices) && r.vertex(row)/64 == word; row++ {
		}
	}
}

func (x *WordIndex) removeFrom(word uint64, r *Chunk) {
	for at := &x.heads[word]; *at != 0; at = &x.entries[*at].next {
		if entry := *at; x.entries[entry].chunk == r {
			*at = x.entries[entry].next
			x.give(entry)
			return
		}
	}
}

// List is edges [From, To) of a chunk, which are those of a row.
type List struct {
	*Chunk
	Row, From, To int
}

// Lists adds the lists of v to some.
func (x *WordIndex) Lists(v uint32, some []List) []List {
	bit := uint64(1) << (v % 64)
	for at := x.heads[v/64]; at != 0; {
		e := &x.entries[at]
		if at = e.next; e.vertices&bit != 0 {
			row := int(e.first) + bits.OnesCount64(e.vertices&(bit-1))
			some = append(some, List{e.chunk, row, int(e.chunk.Offsets[row]), int(e.chunk.Offsets[row+1])})
		}
	}
	for _, r := range x.searched {
		if row, from, to := r.Row(int(v)); from < to {
			some = append(some, List{r, row, from, to})
		}
	}
	return some
}
