package scc

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/lists"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// streamed finds the components of a directed graph that does not fit. It keeps 12 bytes a vertex and three sets, and
// asks for the lists of vertices that are due: those that have something to tell their neighbors.
//
//	trim ──▶ forward, backward from one pivot ──▶ forward by colors, backward from each root ──┐
//	                                                    ▲──────────────────────────────────────┘ until all are assigned
//
// Forward each vertex passes on its color, and takes on a greater one: in the end it has the greatest of all those
// that reach it. One that has kept its own is a root; backward, within the color, its component reaches it.
// Later rounds stay within the colors of the one before. (Orzan, "On distributed verification and verified
// distribution", 2004; Slota, Rajamanickam, Madduri 2014 begin with trimming and the giant component.) Colors are
// compared in an order drawn at random, so that a chain of components takes a number of rounds that grows with its
// logarithm. (Blelloch, Gu, Shun, Sun, "Parallelism in randomized incremental algorithms", 2016.)
//
// A pass goes on within its lists until nothing changes there. So that it goes far where few vertices are due, lists of
// vertices with numbers near theirs come along (lists.Company).
type streamed struct {
	*scc
	degrees  lists.Degrees
	part     []uint32 // of each vertex: its color in the round before; while trimming: edges that enter it
	color    []uint32 // a vertex; assigned: the root of its component; while trimming: edges that leave it
	assigned []uint64 // set
	due      []uint64 // set
	idle     []uint64 // set: lists of the pass that have been of no use yet
	stack    []uint32 // vertices that are due, whose lists are here
	step     step
	pivot    uint32 // of the greatest color
	round    int
	cursor   int // the next pass begins here
	company  lists.Company
}

type step int

const (
	trimming step = iota
	forward
	backward
)

func init() {
	procedures.RegisterStreamed("scc", func(f procedures.Input) (procedures.Streamed, error) {
		c, err := newSCC(f)
		if err != nil {
			return nil, err
		}
		if !f.Graph.Directed {
			return &united{scc: c.(*scc)}, nil
		}
		return &streamed{scc: c.(*scc), degrees: lists.Degrees{Out: f.Columns["out_degree"].Ints,
			In: f.Columns["in_degree"].Ints, Directed: true}}, nil
	})
}

// Scratch: part, color, stack, and the sets.
func (s *streamed) Scratch() uint64 { return 12*uint64(s.N) + 3*8*uint64(bitmap.Words(s.N)) }

// Lists are both of a vertex.
func (s *streamed) Lists() algorithms.Edges { return algorithms.BothSides }

// Keeps is false: a list is done with when its pass ends.
func (s *streamed) Keeps() bool { return false }

// Start counts edges, and trims what no edge enters, or none leaves.
func (s *streamed) Start(ctx context.Context, _ uint64) error {
	words := bitmap.Words(s.N)
	s.part, s.color, s.stack = make([]uint32, s.N), make([]uint32, s.N), make([]uint32, 0, s.N)
	s.assigned, s.due, s.idle = make([]uint64, words), make([]uint64, words), make([]uint64, words)
	s.step, s.round, s.cursor = trimming, 0, 0
	_, all := s.degrees.Costs()
	s.company = lists.NewCompany(all)
	for v := range s.part {
		s.part[v], s.color[v] = uint32(s.degrees.In[v]), uint32(s.degrees.Out[v])
		if s.part[v] == 0 || s.color[v] == 0 {
			s.assign(uint32(v))
		}
	}
	return ctx.Err()
}

// assign gives a vertex to its component. Its neighbors are to know, if it has any.
func (s *streamed) assign(v uint32) {
	add(s.assigned, v)
	if s.degrees.Entries(int(v)) > 0 {
		add(s.due, v)
	}
}

// Next asks for the lists of vertices that are due, from where the last pass ended. When there are none, the next step
// begins.
func (s *streamed) Next(ctx context.Context, b *lists.Batch) error {
	for ctx.Err() == nil {
		if s.gather(b); len(b.Vertices) > 0 || b.Refused {
			break
		}
		if !s.advance() {
			s.name(s.color)
			break
		}
	}
	return ctx.Err()
}

// gather adds vertices that are due, then company.
func (s *streamed) gather(b *lists.Batch) {
	start := s.cursor
	if s.sweep(b, start, s.N) {
		s.sweep(b, 0, start)
	}
	asked := len(b.Vertices)
	if asked == 0 || b.Refused {
		return
	}
	// of each vertex, on either side
	room, window := s.company.Room(b)/uint64(asked)/2, 64+1<<16/asked
	for _, v := range b.Vertices[:asked] {
		if !s.accompany(b, int(v), 1, window, room) || !s.accompany(b, int(v), -1, window, room) {
			return
		}
	}
}

// sweep adds vertices in [from, to) that are due, and tells whether there was room for all.
func (s *streamed) sweep(b *lists.Batch, from, to int) bool {
	for v := from; v < to; v++ {
		switch {
		case s.due[v/64]>>(v%64) == 0:
			v |= 63
		case bitmap.Has(s.due, v) && !s.bring(b, v):
			s.cursor = v
			return false
		}
	}
	return true
}

// bring adds a vertex, if there is room.
func (s *streamed) bring(b *lists.Batch, v int) bool {
	if !b.Add(v) {
		return false
	}
	add(s.idle, uint32(v))
	return true
}

// accompany adds vertices on one side of v, in a window, that may become due in this pass, and tells whether there may
// be room for more.
func (s *streamed) accompany(b *lists.Batch, v, direction, window int, room uint64) bool {
	for u := v + direction; u >= 0 && u < s.N && u != v+direction*window; u += direction {
		if bitmap.Has(s.idle, u) {
			return true // what is beyond is near that one
		}
		if !s.open(u) {
			continue
		}
		cost := s.degrees.Cost(u)
		if cost > room {
			return true
		}
		if !s.bring(b, u) {
			return false
		}
		room -= cost
	}
	return true
}

// open tells whether a vertex may become due soon.
func (s *streamed) open(v int) bool {
	switch {
	case bitmap.Has(s.assigned, v):
		return false
	case s.step == trimming:
		return s.part[v] == 1 || s.color[v] == 1
	case s.step == forward && s.round == 0:
		return s.color[v] != s.pivot
	}
	return true
}

// advance begins the next step, and tells whether there is one: not when all vertices are assigned.
func (s *streamed) advance() bool {
	s.cursor = 0
	switch s.step {
	case trimming:
		s.choose()
	case forward:
		s.turn()
		return true
	case backward:
		s.round++
		s.divide()
	}
	s.step = forward
	return bitmap.Count(s.assigned) < uint64(s.N)
}

// choose makes the vertex of most ways through it the pivot, and the only one that passes on its color.
func (s *streamed) choose() {
	ways := uint64(0)
	for v := range s.part {
		if through := uint64(s.part[v]) * uint64(s.color[v]); !bitmap.Has(s.assigned, v) && through > ways {
			s.pivot, ways = uint32(v), through
		}
	}
	for v := range s.part {
		s.part[v], s.color[v] = 0, uint32(v)
	}
	if ways > 0 {
		add(s.due, s.pivot)
	}
}

// turn assigns roots, from which components are searched backward. In the first round there is one.
func (s *streamed) turn() {
	s.step = backward
	if s.round == 0 {
		s.assign(s.pivot)
		return
	}
	for v, color := range s.color {
		if color == uint32(v) && !bitmap.Has(s.assigned, v) {
			s.assign(color)
		}
	}
}

// divide makes colors parts, and gives each vertex that is not assigned its own. In the first round, those that the
// pivot reaches are one part and the others another.
func (s *streamed) divide() {
	for v, color := range s.color {
		if bitmap.Has(s.assigned, v) {
			continue
		}
		if s.part[v] = color; s.round == 1 && color != s.pivot {
			s.part[v] = math.MaxUint32
		}
		s.color[v] = uint32(v)
		add(s.due, uint32(v))
	}
}

// Work has vertices that are due tell their neighbors, and so on within the lists that are here.
func (s *streamed) Work(ctx context.Context, b *lists.Batch) error {
	s.stack = s.stack[:0]
	for _, v := range b.Vertices {
		if bitmap.Has(s.due, int(v)) {
			s.stack = append(s.stack, v)
		}
	}
	if s.step == forward { // the greatest color first, which no other takes the place of
		slices.SortFunc(s.stack, func(v, u uint32) int { return cmp.Compare(s.rank(s.color[v]), s.rank(s.color[u])) })
	}
	for n := 0; len(s.stack) > 0; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		drop(s.due, v)
		drop(s.idle, v)
		i, _ := b.Find(v)
		s.tell(b, i, v)
	}
	s.settle(b)
	return nil
}

// tell is what a step does with the lists of a vertex.
func (s *streamed) tell(b *lists.Batch, i int, v uint32) {
	switch s.step {
	case trimming:
		s.lower(b, s.part, b.Out(i))
		s.lower(b, s.color, b.In(i))
	case forward:
		color, rank := s.color[v], s.rank(s.color[v])
		for _, u := range b.Out(i) {
			if s.part[u] == s.part[v] && s.rank(s.color[u]) < rank && !bitmap.Has(s.assigned, int(u)) {
				s.color[u] = color
				s.wake(b, u)
			}
		}
	case backward:
		for _, u := range b.In(i) {
			if s.color[u] == s.color[v] && !bitmap.Has(s.assigned, int(u)) {
				add(s.assigned, u)
				s.wake(b, u)
			}
		}
	}
}

// lower takes an edge of each neighbor off its count, and trims it if that was the last.
func (s *streamed) lower(b *lists.Batch, counts, neighbors []uint32) {
	for _, u := range neighbors {
		if bitmap.Has(s.assigned, int(u)) {
			continue
		}
		if counts[u]--; counts[u] == 0 {
			add(s.assigned, u)
			s.wake(b, u)
		}
	}
}

// wake makes a vertex due, in this pass if its list is here.
func (s *streamed) wake(b *lists.Batch, u uint32) {
	if bitmap.Has(s.due, int(u)) {
		return
	}
	add(s.due, u)
	if _, here := b.Find(u); here {
		s.stack = append(s.stack, u)
	}
}

// settle counts what has come in vain: no more than what was of use, and the lists of all once.
func (s *streamed) settle(b *lists.Batch) {
	var vain, all uint64
	for _, v := range b.Vertices {
		cost := s.degrees.Cost(int(v))
		if all += cost; bitmap.Has(s.idle, int(v)) {
			vain += cost
			drop(s.idle, v)
		}
	}
	s.company.Settle(all, vain)
	s.company.Earn(all - vain)
}

// rank is the place of a color in the order in which colors are compared: the pivot is the greatest.
func (s *streamed) rank(color uint32) uint64 {
	if color == s.pivot {
		return math.MaxUint64
	}
	x := color * 0x9e3779b1 // both steps can be undone: no two colors have one rank
	return uint64(x ^ x>>15)
}

// name names each component by its least id, given a vertex of each: that of its root, for all of its vertices.
func (c *scc) name(root []uint32) {
	for v := range root {
		c.component[v] = math.MaxInt64
	}
	for v, r := range root {
		c.component[r] = min(c.component[r], c.ids[v])
	}
	for v, r := range root {
		c.component[v] = c.component[r]
	}
}

func add(set []uint64, v uint32)  { set[v/64] |= 1 << (v % 64) }
func drop(set []uint64, v uint32) { set[v/64] &^= 1 << (v % 64) }
