package topological

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/depthfirst"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// sums solves x(v) = c(v) + Σ x(u) over the edges from u to v, where no c is negative: numbers of
// paths. A search along the lists that are pulled from finds a component once all that leads to
// it is known. A component with a cycle has no solution if anything comes to it: each
// time around adds that again. Else all in it is 0.
type sums struct {
	p      *solvers.Problem
	rows   kernels.RowSum
	search depthfirst.Search[csr.Index]
	cycle  []uint32
	edges  uint64
}

// NewSums is nil for a program of another shape.
func NewSums(p *solvers.Problem) solvers.Solver {
	if !p.Code.Pulls || !addsUp(p) || p.Code.Spec.Diverged == "" || p.N >= math.MaxInt32/2 {
		return nil
	}
	return &sums{p: p, rows: kernels.NewRowSum(shape.Unweighted, -1)}
}

// addsUp tells whether a program ends where each vertex has what its neighbors have, added up, and a term of its own.
func addsUp(p *solvers.Problem) bool {
	spec := p.Code.Spec
	return p.Code.Affine.Adds() && p.Code.Process.SendsFirst(spec) && p.Code.Process.Weighting == shape.Unweighted &&
		!spec.Exactly && spec.MaxIterations == 0 && spec.Norm != algorithms.NoNorm && spec.Tolerance == 0 &&
		len(spec.State) == 1
}

func (s *sums) Name() string { return "topological order" }

func (s *sums) Scratch() uint64 { return 16 * uint64(s.p.N) }

func (s *sums) Allocate() {
	n := s.p.N
	s.search = depthfirst.Search[csr.Index]{Rank: make([]int32, n), Path: make([]uint32, 0, n), At: make([]uint32, 0, n),
		Done: make([]int32, 0, n), Component: s.found}
}

// Reasons for which a search ends early.
var (
	errCycle = errors.New("a cycle adds up for ever")
	errOther = errors.New("a value is not of the kind that is solved")
)

// Solve keeps values with the accumulators until all are known.
func (s *sums) Solve(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (edges uint64,
	solved bool, err error) {
	s.p.Code.Settle()
	err = s.p.Pool.Blocks(ctx, s.p.N, func(worker, _, from, to int) { s.p.Code.Fill(worker, from, to) })
	clear(s.search.Rank)
	s.search.Begin()
	s.search.Lists, s.edges = csr.NewIndex(chunks), 0
	for v := 0; v < s.p.N && err == nil; v++ {
		err = s.search.From(ctx, uint32(v))
	}
	switch {
	case errors.Is(err, errCycle):
		s.p.Progress.Diverge(s.p.Active, s.cycle)
	case errors.Is(err, errOther):
		return s.edges, false, nil
	case err != nil:
		return s.edges, false, err
	default:
		copy(s.p.Code.State[0].Floats, s.p.Acc.Sums.Floats)
		s.p.Progress.Conclude(uint64(s.p.N), 0)
	}
	tell(s.p.Progress.Report(), s.edges)
	return s.edges, true, nil
}

// found computes a component.
func (s *sums) found(first uint32, others []int32) error {
	values := s.p.Acc.Sums.Floats
	if len(others) == 0 && !s.within(first, first) {
		own, sum := s.p.Code.Affine.Added(int(first)), 0.0
		for _, r := range s.search.Lists.Of(int(first)) {
			from, to := r.EdgeRange(int(first))
			sum = s.rows.Add(sum, values, r, from, to)
			s.edges += uint64(to - from)
		}
		if values[first] = sum + own; !(own >= 0) {
			return errOther
		}
		return nil
	}
	some := []uint32{first}
	for _, v := range others {
		some = append(some, uint32(v))
	}
	for _, v := range some {
		switch own := s.p.Code.Affine.Added(int(v)); {
		case !(own >= 0):
			return errOther
		case own > 0 || s.fed(v):
			s.cycle = s.around(v)
			return errCycle
		case s.p.Code.State[0].Floats[v] != 0:
			return errOther
		}
		values[v] = 0
	}
	return nil
}

// sources calls do for what v pulls from, as long as it wants more.
func (s *sums) sources(v uint32, do func(u uint32) bool) {
	for _, r := range s.search.Lists.Of(int(v)) {
		for _, local := range r.List(int(v)) {
			if s.edges++; !do(uint32(r.Cols.Base) + local) {
				return
			}
		}
	}
}

// within tells whether v pulls from u.
func (s *sums) within(v, u uint32) (found bool) {
	s.sources(v, func(w uint32) bool {
		found = w == u
		return !found
	})
	return found
}

// fed tells whether something comes to v from outside its component.
func (s *sums) fed(v uint32) (found bool) {
	s.sources(v, func(u uint32) bool {
		found = s.search.Rank[u] != s.search.Rank[v] && s.p.Acc.Sums.Floats[u] != 0
		return !found
	})
	return found
}

// around is a cycle in v's component, along its edges: one that a walk against them runs into.
func (s *sums) around(v uint32) (cycle []uint32) {
	place := map[uint32]int{}
	for {
		if at, seen := place[v]; seen {
			cycle = cycle[at:]
			slices.Reverse(cycle)
			return cycle
		}
		place[v] = len(cycle)
		cycle = append(cycle, v)
		s.sources(v, func(u uint32) bool {
			if s.search.Rank[u] != s.search.Rank[cycle[len(cycle)-1]] {
				return true
			}
			v = u
			return false
		})
	}
}
