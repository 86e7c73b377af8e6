// Package knn finds, for each vertex, those with the most similar vectors: by brute force (brute.go), or by NN-descent
// (descent.go).
//
//	vectors ──▶ space ──▶ the nearest, in single precision ──▶ their similarities, in double precision ──▶ pairs
//
// It takes 4 bytes a number of the vectors, and one a vertex. Brute force takes 24 bytes a vertex and thread beside
// that; NN-descent takes 24 bytes a vertex, 13 an entry of its lists, and 12 for each new neighbor that is compared in
// an iteration.
package knn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// search is a task.
type search struct {
	procedures.Input
	metric    algorithms.VectorMetric
	vectors   []float32 // as they are given
	ids       []int64
	neighbors []int64   // the result: ids
	scores    []float64 // likewise
	width     int       // of the result
	most      int       // neighbors that a vertex has, at most
	exact     bool
}

func init() {
	procedures.Register("knn", func(f procedures.Input) (procedures.Procedure, error) {
		width := int(f.Args.Ints["topK"])
		if err := f.Columns.Require(algorithms.Column{Name: "id", Type: algorithms.Int},
			algorithms.Column{Name: "neighbor", Type: algorithms.VertexID, Each: width},
			algorithms.Column{Name: "similarity", Type: algorithms.Float, Each: width}); err != nil {
			return nil, err
		}
		vectors, err := f.Rows.Require(algorithms.InputColumn("nodeProperties"), f.N*int(f.Args.Ints["nodeProperties"]))
		return &search{Input: f, metric: algorithms.KNNMetric(f.Args), vectors: vectors, ids: f.Columns["id"].Ints,
			neighbors: f.Columns["neighbor"].Ints, scores: f.Columns["similarity"].Floats, width: width,
			most: min(width, max(f.N-1, 0)), exact: algorithms.KNNIsExact(f.Args, f.N)}, err
	})
}

// Scratch: the space, and what each worker knows of all vertices, or lists, pairs that are sorted, and what descent
// takes.
func (s *search) Scratch() uint64 {
	bytes := spaceBytes(s.N, s.dimension())
	if s.exact {
		return bytes + bruteBytes(s.N, s.Pool.Threads)
	}
	return bytes + listsBytes(s.N, s.most) + uint64(s.Pool.Threads*s.most)*pairBytes + s.descent().bytes()
}

func (s *search) dimension() int { return int(s.Args.Ints["nodeProperties"]) }

func (s *search) Call(ctx context.Context, _ []*csr.Chunk, tell func(float64)) (uint64, error) {
	if s.N == 0 {
		return 0, ctx.Err()
	}
	space := newSpace(s.metric, s.vectors, s.N)
	if err := s.Pool.Blocks(ctx, s.N, func(_, _, from, to int) { space.enter(from, to) }); err != nil {
		return 0, err
	}
	if s.exact {
		return 0, s.brute(ctx, space, procedures.Progress{To: 1, Tell: tell})
	}
	lists := newLists(s.N, s.most, s.ids)
	if err := s.descent().run(ctx, space, lists, procedures.Progress{To: 0.95, Tell: tell}); err != nil {
		return 0, err
	}
	buffers := make([][]pair, s.Pool.Threads)
	part := procedures.Progress{From: 0.95, To: 1, Tell: tell}
	return 0, s.Groups(ctx, nil, part, func(worker, from, to int, _ []*csr.Chunk) {
		if buffers[worker] == nil {
			buffers[worker] = make([]pair, 0, s.most)
		}
		for v := from; v < to; v++ {
			pairs := buffers[worker][:0]
			for _, u := range lists.of(v) {
				pairs = s.with(pairs, v, int(u))
			}
			s.write(v, pairs)
		}
	})
}

func (s *search) descent() descent {
	rate := s.Args.Floats["sampleRate"]
	return descent{Input: s.Input, most: s.most, sample: max(1, int(math.Ceil(rate*float64(s.most)))),
		least: s.Args.Floats["deltaThreshold"], iterations: int(s.Args.Ints["iterations"]),
		joins: int(s.Args.Ints["randomJoins"]), seed: uint64(s.Args.Ints["seed"])}
}

// pair is one of the result.
type pair struct {
	id    int64
	score float64
}

const pairBytes = 16

// with adds the pair of v and u, with its similarity in double precision, unless that is too little.
func (s *search) with(pairs []pair, v, u int) []pair {
	score := s.metric.Similarity(s.vector(v), s.vector(u))
	if !(score >= s.Args.Floats["similarityCutoff"]) {
		return pairs
	}
	return append(pairs, pair{s.ids[u], score})
}

// write writes the most similar of the pairs of v, and pads their end.
func (s *search) write(v int, pairs []pair) {
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id)) })
	ids, scores := s.neighbors[v*s.width:][:s.width], s.scores[v*s.width:][:s.width]
	for i := range ids {
		if ids[i], scores[i] = algorithms.Unreached, math.NaN(); i < len(pairs) {
			ids[i], scores[i] = pairs[i].id, pairs[i].score
		}
	}
}

func (s *search) vector(v int) []float32 {
	d := s.dimension()
	return s.vectors[v*d:][:d:d]
}
