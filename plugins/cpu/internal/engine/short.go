package engine

import (
	"context"
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
)

// short runs iterations whose frontier has few edges, as a list, on one worker: an iteration
// costs what its frontier has, not a pass over the bitmaps of all vertices and a loop of all
// workers. (Shun and Blelloch, "Ligra", PPoPP 2013, keep a small frontier as a list too.)
//
//	list ──message, row──▶ accumulators ──touched neighbors──▶ next list, state
//
// It leaves off with the frontier in the active set, so that either way can go on.
type short struct {
	rows        kernels.RowPusher
	cover       csr.BlockIndex
	most        int       // edges of a frontier
	front, next []uint32  // next has room for as many vertices as a frontier has edges
	edges       int       // of the front
	among       []uint64  // in a Settle, the vertices that may send; nil: all
	queue       []waiting // in a Settle, nearest first
	bound       int64     // by key, beyond which vertices are not queued
}

// A frontier is short with one edge for shortShare vertices, or leastShort, but no more than
// mostShort: from there on another worker is worth calling.
const leastShort, mostShort, shortShare = 64, solvers.TaskEdges, 64

// settledApart is after how many rounds of a Settle it looks whether it is to stop.
const settledApart = 256

// shortFrontier is nil for programs whose iterations need all vertices.
func (p *Program) shortFrontier(chunks []*csr.Chunk) *short {
	if !p.takesLists() || p.Frontier.Share != nil && p.sorted == nil {
		return nil
	}
	return &short{rows: kernels.RowsOf(p.edges), cover: csr.NewBlockIndex(chunks, p.N),
		most: min(max(p.N/shortShare, leastShort), mostShort)}
}

// takesLists tells whether some vertices can send by themselves.
func (p *Program) takesLists() bool {
	spec := p.Code.Spec
	return kernels.RowsOf(p.edges) != nil && p.Code.Improves() && spec.Activity == algorithms.Changed &&
		spec.Norm == algorithms.NoNorm && len(spec.Aggregates) == 0 && len(spec.State) == 1 && !p.Mode.Partial
}

// run does iterations as long as their frontiers are short, and returns how many edges they had.
func (s *short) run(ctx context.Context, p *Program, tell func(*plugins.Iteration, uint64),
	before uint64) (edges uint64, err error) {
	if s == nil || !s.enter(p) {
		return 0, nil
	}
	if err := p.empty(ctx); err != nil {
		return 0, err
	}
	lap := solvers.LapOf(&p.Problem)
	for !p.Progress.Report().Converged && s.edges <= s.most {
		for again := true; again; again = lap.GoesOn() && len(s.front) > 0 && s.edges <= s.most {
			edges += uint64(s.edges)
			s.iterate(p)
		}
		p.Progress.Conclude(uint64(len(s.front)), 0)
		tell(p.Progress.Report(), before+edges)
		if err = ctx.Err(); err != nil {
			break
		}
	}
	p.prepared = false
	return edges, err
}

// enter makes the active set the list, if that is short.
func (s *short) enter(p *Program) bool {
	active := p.Progress.Report().Active
	if active > uint64(s.most) {
		return false
	}
	return s.list(p.Active)
}

// list makes vertices the front, unless they have too many edges.
func (s *short) list(active []uint64) bool {
	s.clear()
	for at, word := range active {
		for word &= wordOf(s.among, at); word != 0; word &= word - 1 {
			if !s.add(uint32(at*64 + bits.TrailingZeros64(word))) {
				return false
			}
		}
	}
	return true
}

// clear makes the front empty.
func (s *short) clear() {
	if s.front == nil {
		s.front, s.next = make([]uint32, 0, s.most), make([]uint32, 0, s.most)
	}
	s.front, s.edges = s.front[:0], 0
}

// add puts a vertex into the front, unless there is no room for it and its edges.
func (s *short) add(v uint32) bool {
	degree := s.degree(v)
	if len(s.front) == s.most || s.edges+degree > s.most {
		return false
	}
	s.front, s.edges = append(s.front, v), s.edges+degree
	return true
}

// settle does rounds of a Settle as long as their frontiers are short, and they have not looked at more than enough
// edges. It returns how many rounds are left.
func (s *short) settle(ctx context.Context, p *Program, rounds int, enough uint64) (edges uint64, left int, err error) {
	if s == nil || !s.list(p.Active) {
		return 0, rounds, nil
	}
	if err := p.empty(ctx); err != nil {
		return 0, rounds, err
	}
	for ; rounds > 0 && len(s.front) > 0 && s.edges <= s.most && edges <= enough; rounds-- {
		edges += uint64(s.edges)
		s.iterate(p)
		if p.Progress.Iteration++; p.Progress.Iteration%settledApart == 0 && ctx.Err() != nil {
			return edges, rounds, ctx.Err()
		}
	}
	p.prepared = false
	return edges, rounds, nil
}

func (s *short) degree(v uint32) (edges int) {
	for _, r := range s.cover[v/parallel.BlockVertices] {
		from, to := r.EdgeRange(int(v))
		edges += to - from
	}
	return edges
}

// iterate sends what the list sends, and makes those that it has changed the list.
func (s *short) iterate(p *Program) {
	for _, v := range s.front {
		p.sender.one(int(v))
		p.Active[v/64] &^= 1 << (v % 64)
	}
	for _, v := range s.front {
		for _, r := range s.cover[v/parallel.BlockVertices] {
			if row, from, to := r.Row(int(v)); from < to {
				s.rows.PushRow(r, row, from, to)
			}
		}
	}
	s.next, s.edges = s.next[:0], 0
	for _, v := range s.front {
		for _, r := range s.cover[v/parallel.BlockVertices] {
			from, to := r.EdgeRange(int(v))
			base := uint32(r.Cols.Base)
			for _, local := range r.Neighbors[from:to] {
				s.arrive(p, base+local)
			}
		}
	}
	s.front, s.next = s.next, s.front
}

// arrive gives u its next state, if a message has improved it.
func (s *short) arrive(p *Program, u uint32) {
	word, bit := u/64, uint64(1)<<(u%64)
	if p.Acc.Touched[word]&bit == 0 {
		return
	}
	p.Acc.Touched[word] &^= bit
	p.applier.improve(int(u))
	p.Active[word] |= bit
	if wordOf(s.among, int(word))&bit == 0 {
		return // its edges are not here
	}
	s.next = append(s.next, u)
	s.edges += s.degree(u)
}
