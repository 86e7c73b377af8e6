// Package knn finds, for each vertex, those with the most similar vectors: by brute force (brute.go), or most of them
// by trees (forest.go) and NN-descent (descent.go).
//
//	vectors ──▶ space ─┬─ all with all ─────────────────────┬─▶ those that may be nearest ──▶ similarities in ──▶ pairs
//	                   └─ forest ──▶ lists ──▶ descent ─────┘                                 double precision
//
// Vectors are compared 32 with 32 at a time, in single precision. It takes 4 bytes a number of the vectors, and 5 a
// vertex. Brute force takes 1 KiB a thread beside that, for each of 2·topK + 64. NN-descent takes 20 bytes a vertex, 8
// an entry of its lists, 16 for each new neighbor that is compared in an iteration, and 4 a vertex and thread; the
// trees before it 16 a vertex and thread, if that is more.
package knn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/similarity"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// search is a task.
type search struct {
	procedures.Input
	metric    similarity.VectorMetric
	vectors   []float32 // as they are given
	ids       []int64
	neighbors []int64   // the result: ids
	scores    []float64 // likewise
	width     int       // of the result
	most      int       // neighbors that a vertex has, at most
	exact     bool
	filter    similarity.PairFilter
}

func init() {
	procedures.Register("knn", func(f procedures.Input) (procedures.Procedure, error) {
		if f.N > mostPoints {
			return nil, plugins.Errorf(plugins.KindUnsupported, "neighbors of %d vertices: up to %d", f.N, mostPoints)
		}
		width := int(f.Args.Ints["topK"])
		if err := f.Columns.Require(append(similarity.FilterColumns(f.Args),
			algorithms.Column{Name: "id", Type: algorithms.Int},
			algorithms.Column{Name: "neighbor", Type: algorithms.VertexID, Each: width},
			algorithms.Column{Name: "similarity", Type: algorithms.Float, Each: width})...); err != nil {
			return nil, err
		}
		vectors, err := f.Rows.Require(algorithms.InputColumn("nodeProperties"), f.N*int(f.Args.Ints["nodeProperties"]))
		return &search{Input: f, metric: similarity.KNNMetric(f.Args), vectors: vectors, ids: f.Columns["id"].Ints,
			neighbors: f.Columns["neighbor"].Ints, scores: f.Columns["similarity"].Floats, width: width,
			most: min(width, max(f.N-1, 0)), exact: similarity.KNNIsExact(f.Args, f.N),
			filter: similarity.NewPairFilter(func(name string) []int64 { return f.Columns[name].Ints })}, err
	})
}

// Scratch: the space, and what each worker knows of its points; or lists, what the forest or descent takes, and pairs
// that are sorted.
func (s *search) Scratch() uint64 {
	bytes := spaceBytes(s.N, s.dimension(), s.Pool.Threads)
	if s.exact {
		return bytes + s.bruteBytes()
	}
	kept := s.kept(s.N)
	return bytes + listsBytes(s.N, kept) + uint64(s.Pool.Threads*kept)*pairBytes +
		max(s.forest(kept).bytes(s.N, s.dimension()), s.descent(kept).bytes(s.N, s.dimension()))
}

func (s *search) dimension() int { return int(s.Args.Ints["nodeProperties"]) }

func (s *search) Call(ctx context.Context, _ []*csr.Chunk, tell func(float64)) (uint64, error) {
	if s.N == 0 {
		return 0, ctx.Err()
	}
	space, err := newSpace(ctx, s.Pool, s.metric, s.vectors, s.N)
	if err != nil {
		return 0, err
	}
	for v, void := range space.void {
		if void {
			s.write(v, nil)
		}
	}
	if s.exact || len(space.points) < 2 {
		return 0, s.brute(ctx, space, procedures.Progress{To: 1, Tell: tell})
	}
	return 0, s.approach(ctx, space, tell)
}

// approach finds most of the nearest: the forest some, and descent, from there, most of the others.
func (s *search) approach(ctx context.Context, sp *space, tell func(float64)) error {
	if err := sp.enter(ctx, s.Pool); err != nil {
		return err
	}
	kept := s.kept(len(sp.points))
	lists := newLists(len(sp.points), kept)
	if err := s.forest(kept).grow(ctx, sp, lists, procedures.Progress{To: 0.3, Tell: tell}); err != nil {
		return err
	}
	if err := s.descent(kept).run(ctx, sp, lists, procedures.Progress{From: 0.3, To: 0.95, Tell: tell}); err != nil {
		return err
	}
	pairs := make([][]pair, s.Pool.Threads)
	return s.Pool.Blocks(ctx, len(sp.points), func(worker, _, from, to int) {
		if pairs[worker] == nil {
			pairs[worker] = make([]pair, 0, kept)
		}
		for p := from; p < to; p++ {
			s.write(int(sp.points[p]), s.with(pairs[worker][:0], sp, p, s.nearest(sp, lists.of(p))))
		}
	})
}

// nearest are those of a list that may be among the nearest, but for rounding.
func (s *search) nearest(sp *space, all []entry) []entry {
	if len(all) <= s.most {
		return all
	}
	least := sp.reach(all[s.most-1].near())
	for len(all) > s.most && all[len(all)-1].near() < least {
		all = all[:len(all)-1]
	}
	return all
}

// What a search begins with. Of RMAT 16, web and road graphs, more trees with larger leaves find more in more time.
const (
	trees     = 12
	leaf      = 128 // points that are compared with each other
	leastKept = 16  // neighbors of each point
	mostMore  = 16  // than are wanted
)

// kept is how many others each of some points keeps while it searches: more than are wanted, for those are found by
// way of others.
func (s *search) kept(points int) int {
	return max(0, min(max(s.most+min(s.most/2, mostMore), leastKept), points-1))
}

func (s *search) forest(kept int) forest {
	return forest{pool: s.Pool, trees: trees, leaf: max(leaf, 2*(kept+1)), seed: s.Args.Ints["seed"]}
}

func (s *search) descent(kept int) descent {
	return descent{pool: s.Pool, sample: max(1, int(math.Ceil(s.Args.Floats["sampleRate"]*float64(kept)))),
		least: s.Args.Floats["deltaThreshold"], iterations: int(s.Args.Ints["iterations"]),
		joins: int(s.Args.Ints["randomJoins"]), seed: s.Args.Ints["seed"]}
}

// pair is one of the result.
type pair struct {
	id    int64
	score float64
	entry entry
}

const pairBytes = 24

// nearer orders pairs of a vertex as the result has them.
func nearer(a, b pair) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id)) }

// with adds the pairs of p and others, with their similarity in double precision, unless that is too little.
func (s *search) with(pairs []pair, sp *space, p int, others []entry) []pair {
	one := sp.givenOf(sp.points[p])
	for _, e := range others {
		u := sp.points[e.point()]
		if score := s.metric.Similarity(one, sp.givenOf(u)); score >= s.Args.Floats["similarityCutoff"] {
			pairs = append(pairs, pair{s.ids[u], score, e})
		}
	}
	return pairs
}

// write writes the most similar of the pairs of v, if it is to have some, and pads their end.
func (s *search) write(v int, pairs []pair) {
	if !s.filter.From(v) {
		pairs = nil
	}
	slices.SortFunc(pairs, nearer)
	ids, scores := s.neighbors[v*s.width:][:s.width], s.scores[v*s.width:][:s.width]
	for i := range ids {
		if ids[i], scores[i] = algorithms.Unreached, math.NaN(); i < len(pairs) {
			ids[i], scores[i] = pairs[i].id, pairs[i].score
		}
	}
}
