package adjacency

import "fmt"

// Builder takes the edges at one end of vertices that follow each other, in any order.
type Builder struct {
	first      uint32 // the vertex of row 0
	lists      Lists
	taken      []int64 // by row: where its next edge goes
	properties []string
	selfLoops  bool
}

// MissingError is a vertex whose edges have not all come.
type MissingError struct {
	Vertex     uint64
	Have, Want int64
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("lists of vertex %d have not come: it has %d edges of %d", e.Vertex, e.Have, e.Want)
}

// Bytes is what lists of so many entries take, and take on their way.
func Bytes(vertices, entries uint64, properties int, selfLoops bool) uint64 {
	if selfLoops {
		entries += vertices
	}
	return 16*(vertices+1) + entries*(4+8*uint64(properties))
}

// NewBuilder makes room for as many edges as degrees say, of the vertices from first on, and for one more each where
// each vertex is to be its own neighbor.
func NewBuilder(first uint32, degrees []int64, properties []string, selfLoops bool) *Builder {
	b := &Builder{first: first, lists: Lists{Offsets: make([]int64, len(degrees)+1), Properties: map[string][]float64{}},
		taken: make([]int64, len(degrees)), properties: properties, selfLoops: selfLoops}
	for v, d := range degrees {
		b.taken[v] = b.lists.Offsets[v]
		b.lists.Offsets[v+1] = b.lists.Offsets[v] + d
		if selfLoops {
			b.lists.Offsets[v+1]++
		}
	}
	b.lists.Others = make([]uint32, b.lists.Offsets[len(degrees)])
	for _, p := range properties {
		b.lists.Properties[p] = make([]float64, len(b.lists.Others))
	}
	return b
}

// Add takes edges of a row: the vertices at their other ends, counted from base on, and the columns of its properties.
// False: the row would have more edges than its degree says. Several goroutines may add to different rows.
func (b *Builder) Add(row int, base uint32, others []uint32, properties [][]float64) bool {
	at := b.taken[row]
	if at+int64(len(others)) > b.end(row) {
		return false
	}
	for i, u := range others {
		b.lists.Others[at+int64(i)] = base + u
	}
	for i, name := range b.properties {
		copy(b.lists.Properties[name][at:], properties[i])
	}
	b.taken[row] = at + int64(len(others))
	return true
}

// end is where the edges of a row must end that come.
func (b *Builder) end(row int) int64 {
	if b.selfLoops {
		return b.lists.Offsets[row+1] - 1
	}
	return b.lists.Offsets[row+1]
}

// Complete is the lists when all edges have come: sorted, so that the order in which they came does not matter, and
// with each vertex as a neighbor of itself if so it shall be. Else the error is a *MissingError.
func (b *Builder) Complete() (Lists, error) {
	for v, at := range b.taken {
		if from := b.lists.Offsets[v]; at != b.end(v) {
			return Lists{}, &MissingError{uint64(b.first) + uint64(v), at - from, b.end(v) - from}
		}
	}
	if b.selfLoops {
		b.loop()
	}
	l := b.lists
	for v := range b.taken {
		l.sort(l.Offsets[v], l.Offsets[v+1])
	}
	b.taken = nil
	return l, nil
}

// loop makes each vertex a neighbor of itself, once. Edge properties of what it adds are 1.
func (b *Builder) loop() {
	l, to := &b.lists, int64(0)
	for v := range b.taken {
		from, end := l.Offsets[v], b.taken[v]
		l.Offsets[v] = to
		found := false
		for e := from; e < end; e++ {
			if l.Others[e] == b.first+uint32(v) {
				if found {
					continue
				}
				found = true
			}
			l.move(to, e)
			to++
		}
		if !found {
			l.Others[to] = b.first + uint32(v)
			for _, p := range l.Properties {
				p[to] = 1
			}
			to++
		}
	}
	l.Offsets[len(b.taken)] = to
	l.Others = l.Others[:to]
	for name, p := range l.Properties {
		l.Properties[name] = p[:to]
	}
}
