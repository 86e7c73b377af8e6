// Package incremental iterates sums of which few change: a label that spreads from one vertex.
//
//	first    sums of all rows, and from which groups of vertices each block pulls   (sources.go)
//	then     blocks that pull from a group that has changed ──sum, Apply──▶ blocks that change
//
// Other blocks would get what they have. It leaves off, for iterations by all edges to go on, once
// more than a few blocks are at it. It takes 200 bytes for a block of vertices, and 32 KiB a thread.
package incremental

import (
	"context"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/compile"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/activity"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// sums are a run. Messages of all vertices lie in the accumulators: a block has its own to sum up in.
type sums struct {
	p       *solvers.Problem
	rows    kernels.RowSum
	cover   csr.BlockIndex
	sources []groups // of each block
	changed groups   // with a vertex that the last iteration has changed
	blocks  []int    // that pull from one
	acc     [][]float64
	edges   atomic.Uint64
}

// few is one in how many vertices begin with a message other than 0, and one in how many blocks may
// be at it: by more, iterations by all edges are as good.
const few = 4

// New is nil for a program of another shape: messages are the column times what a vertex has of
// its own, maybe times a weight, and Apply does not ask for what it replaces.
func New(p *solvers.Problem) solvers.Solver {
	code, w := p.Code, p.Code.Process.Weighting
	if !code.Pulls || code.Affine == nil || code.Scaled == nil || code.Selection != nil || code.SendsSingles() ||
		w != shape.Unweighted && w != shape.Times || len(code.Spec.State) > 1 || len(code.Spec.Aggregates) > 0 {
		return nil
	}
	return &sums{p: p, rows: kernels.NewRowSum(w, code.EdgeColumn(code.Process.EdgeColumn))}
}

func (s *sums) Name() string { return "changed blocks" }

func (s *sums) Scratch() uint64 {
	block := uint64(groupsBytes + csr.BlockIndexBytes + 8)
	return block*uint64(parallel.BlockCount(s.p.N)) + 8*parallel.BlockVertices*uint64(s.p.Pool.Threads)
}

func (s *sums) Allocate() {
	s.sources = make([]groups, parallel.BlockCount(s.p.N))
	s.blocks = make([]int, 0, len(s.sources))
	for range s.p.Pool.Threads {
		s.acc = append(s.acc, make([]float64, parallel.BlockVertices))
	}
}

// Solve iterates as long as few blocks are at it.
func (s *sums) Solve(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (edges uint64,
	solved bool, err error) {
	if many, err := s.begin(ctx); many || err != nil {
		return 0, false, err
	}
	s.cover = csr.NewBlockIndex(chunks, s.p.N)
	if s.scattered() {
		return 0, false, nil
	}
	s.blocks = s.blocks[:0]
	for block := range s.sources {
		s.blocks = append(s.blocks, block)
	}
	for first := true; first || len(s.blocks) <= len(s.sources)/few; first = false {
		if err := s.iterate(ctx); err != nil {
			return s.edges.Load(), false, err
		}
		report := s.p.Progress.Report()
		tell(report, s.edges.Load())
		if report.Converged {
			return s.edges.Load(), true, nil
		}
		if first {
			if err := s.findSources(ctx); err != nil {
				return s.edges.Load(), false, err
			}
		}
		s.choose()
	}
	return s.edges.Load(), false, nil
}

// begin writes the first messages, and tells whether many are not 0.
func (s *sums) begin(ctx context.Context) (many bool, err error) {
	code := s.p.Code
	code.Settle()
	var sending atomic.Int64
	s.edges.Store(0)
	err = s.p.Pool.Blocks(ctx, s.p.N, func(worker, _, from, to int) {
		code.Fill(worker, from, to)
		messages, count := s.p.Acc.Sums.Floats[from:to], 0
		clear(messages)
		compile.Write(code.Scaled, messages, from)
		for _, x := range messages {
			if x != 0 {
				count++
			}
		}
		sending.Add(int64(count))
	})
	return sending.Load() > int64(s.p.N/few), err
}

// iterate sums up and applies the blocks that are at it, and then has those that have changed send.
func (s *sums) iterate(ctx context.Context) error {
	p, code := s.p, s.p.Code
	for block := range p.Progress.Changes {
		p.Progress.Changes[block] = activity.Change{Active: uint64(s.verticesOf(block))}
	}
	err := p.Pool.Run(ctx, len(s.blocks), func(worker, task int) {
		block := s.blocks[task]
		from, acc := block*parallel.BlockVertices, s.acc[worker][:s.verticesOf(block)]
		clear(acc)
		edges := 0
		for _, r := range s.cover[block] {
			edges += s.rows.AddRows(acc, p.Acc.Sums.Floats, r, from)
		}
		s.edges.Add(uint64(edges))
		state := code.State[0].Floats[from : from+len(acc)]
		p.Progress.Changes[block].By = code.Affine.Apply(code.Spec.Norm, acc, state, from)
	})
	if err != nil {
		return err
	}
	p.Progress.Iteration++
	s.changed = groups{}
	return p.Pool.Run(ctx, len(s.blocks), func(_, task int) {
		from := s.blocks[task] * parallel.BlockVertices
		compile.Write(code.Scaled, p.Acc.Sums.Floats[from:from+s.verticesOf(s.blocks[task])], from)
	})
}

func (s *sums) verticesOf(block int) int {
	return min(parallel.BlockVertices, s.p.N-block*parallel.BlockVertices)
}

// choose finds the blocks that pull from one that has changed.
func (s *sums) choose() {
	for _, block := range s.blocks {
		if s.p.Progress.Changes[block].By != 0 {
			s.changed.add(s.group(block * parallel.BlockVertices))
		}
	}
	s.blocks = s.blocks[:0]
	for block := range s.sources {
		if s.sources[block].meets(&s.changed) {
			s.blocks = append(s.blocks, block)
		}
	}
}
