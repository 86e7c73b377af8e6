// Package similarity finds, for each vertex, the vertices two steps away that have the most similar neighbors: node
// similarity, and scores of links that may come. It takes 16 bytes a vertex and 4 an entry of the lists that it reads,
// with weights 24 and 12, and 12 bytes a vertex for each thread.
package similarity

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/similarity"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// ranking counts, for a vertex v, on how many ways v ─ w ─ u each u is reached: so often has it a neighbor w in
// common. Counts are whole numbers of a unit, so that their sums are exact, in any order.
type ranking struct {
	procedures.Input
	ids       []int64
	neighbors []int64   // the result: ids
	scores    []float64 // likewise
	width     int
	rule      similarity.Rule
	filter    similarity.PairFilter
	out, in   lists // of each vertex its neighbors, and those that have it as a neighbor
}

func init() {
	procedures.Register("node-similarity", func(f procedures.Input) (procedures.Procedure, error) {
		return newSimilarity(f, "similarity", similarity.NodeRule(f.Args))
	})
	procedures.Register("link-prediction", func(f procedures.Input) (procedures.Procedure, error) {
		return newSimilarity(f, "score", similarity.LinkRule(f.Args))
	})
}

func newSimilarity(f procedures.Input, score string, rule similarity.Rule) (procedures.Procedure, error) {
	width := int(f.Args.Ints["topK"])
	err := f.Columns.Require(append(similarity.FilterColumns(f.Args), algorithms.Column{Name: "id", Type: algorithms.Int},
		algorithms.Column{Name: "neighbor", Type: algorithms.VertexID, Each: width},
		algorithms.Column{Name: score, Type: algorithms.Float, Each: width})...)
	return &ranking{Input: f, ids: f.Columns["id"].Ints, neighbors: f.Columns["neighbor"].Ints,
		scores: f.Columns[score].Floats, width: width, rule: rule,
		filter: similarity.NewPairFilter(func(name string) []int64 { return f.Columns[name].Ints })}, err
}

// both tells whether lists against the edges are others than those along them.
func (s *ranking) both() bool { return s.Graph.Directed && s.rule.Orientation != "undirected" }

// Scratch: the lists, and what each worker counts.
func (s *ranking) Scratch() uint64 {
	n, entries, sides := uint64(s.N), 2*s.Graph.Edges, uint64(1)
	if s.both() {
		entries, sides = s.Graph.Edges, 2
	}
	best, vertex, entry := uint64(2*s.width)*16, uint64(16), uint64(4)
	if s.rule.Weighted {
		vertex, entry = vertex+8, entry+8
	}
	return sides*(vertex*n+8+entry*entries) + uint64(s.Pool.Threads)*(12*n+best)
}

func (s *ranking) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	part := procedures.Progress{To: 0.1, Tell: tell}
	if err := s.read(ctx, chunks, part); err != nil {
		return 0, err
	}
	weights, err := s.weights(chunks)
	if err != nil {
		return 0, err
	}
	counters := make([]*counter, s.Pool.Threads)
	part = procedures.Progress{From: 0.1, To: 1, Tell: tell}
	err = s.Groups(ctx, nil, part, func(worker, from, to int, _ []*csr.Chunk) {
		if counters[worker] == nil {
			counters[worker] = newCounter(s.N, s.width, s.rule)
		}
		for v := from; v < to; v++ {
			s.compare(counters[worker], uint32(v), weights)
		}
	})
	return csr.Entries(chunks), err
}

// read makes the lists.
func (s *ranking) read(ctx context.Context, chunks []*csr.Chunk, part procedures.Progress) (err error) {
	along := func(c *csr.Chunk) bool { return c.Out() }
	against := func(c *csr.Chunk) bool { return !c.Out() }
	if !s.both() {
		s.out, err = readLists(ctx, s.Input, chunks, s.rule.Weighted, part)
		s.in = s.out
		return err
	}
	if s.out, err = readLists(ctx, s.Input, chosen(chunks, along), s.rule.Weighted, part); err == nil {
		s.in, err = readLists(ctx, s.Input, chosen(chunks, against), s.rule.Weighted, part)
	}
	if s.rule.Orientation == "reverse" {
		s.out, s.in = s.in, s.out
	}
	return err
}

// weights are what common neighbors count. Lists have their sizes then.
func (s *ranking) weights(chunks []*csr.Chunk) (weights similarity.Weights, err error) {
	heaviest := 1.0
	if s.rule.Weighted {
		if heaviest, err = procedures.LargestWeight("node-similarity", s.ids, chunks); err != nil {
			return weights, err
		}
	}
	if weights, err = s.rule.Weights(s.out.largest(), heaviest); err != nil {
		return weights, plugins.Errorf(plugins.KindInvalid, "node-similarity: %s", err)
	}
	if s.rule.Weighted {
		s.out.measure(weights)
	}
	return weights, nil
}

// count counts the common neighbors of v with others.
func (s *ranking) count(c *counter, v uint32, own []uint32, weights similarity.Weights) {
	if s.rule.Weighted {
		for i, heavy := range s.out.weightsOf(v) {
			others := s.in.weightsOf(own[i])
			for k, u := range s.in.of(own[i]) {
				if weight := weights.Between(heavy, others[k]); weight > 0 {
					c.add(u, weight)
				}
			}
		}
		return
	}
	for _, w := range own {
		weight := weights.Of(len(s.in.of(w)))
		for _, u := range s.in.of(w) {
			c.add(u, weight)
		}
	}
}

// compare writes the vertices most similar to v.
func (s *ranking) compare(c *counter, v uint32, weights similarity.Weights) {
	neighbors, scores := s.neighbors[int(v)*s.width:][:s.width], s.scores[int(v)*s.width:][:s.width]
	c.best.clear()
	own := s.out.of(v)
	if s.filter.From(int(v)) && s.rule.Compares(len(own)) {
		s.count(c, v, own, weights)
		c.count[v] = 0 // v reaches itself
		if s.rule.Apart {
			for _, u := range own {
				c.count[u] = 0
			}
		}
	}
	size := s.out.size(v, len(own))
	for _, u := range c.touched {
		count, degree := c.count[u], len(s.out.of(u))
		if c.count[u] = 0; count == 0 || !s.filter.To(int(u)) || !s.rule.Compares(degree) {
			continue
		}
		if score := s.rule.Score(weights.Sum(count), size, s.out.size(u, degree)); score >= s.rule.Cutoff {
			c.best.add(s.ids[u], score)
		}
	}
	c.touched = c.touched[:0]
	c.best.write(neighbors, scores)
}
