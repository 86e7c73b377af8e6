package similarity

import (
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/similarity"
)

// counter is what a worker has counted of one vertex' common neighbors with others.
type counter struct {
	count   []int64  // of each vertex; zeros but for those touched
	touched []uint32 // each once
	best    best
}

func newCounter(n, width int, rule similarity.Rule) *counter {
	return &counter{count: make([]int64, n), touched: make([]uint32, 0, n),
		best: best{width: width, rule: rule, pairs: make([]pair, 0, 2*width)}}
}

// add counts what is not 0.
func (c *counter) add(u uint32, weight int64) {
	if c.count[u] == 0 {
		c.touched = append(c.touched, u)
	}
	c.count[u] += weight
}

// best keeps the pairs that come first.
type best struct {
	width int
	rule  similarity.Rule
	pairs []pair // twice as many as the width, at most
	full  bool   // last is the last of width pairs that others must come before
	last  pair
}

type pair struct {
	id    int64
	score float64
}

func (b *best) clear() { b.pairs, b.full = b.pairs[:0], false }

// add takes another pair, if it may be among the best, and forgets those that are not from time to time.
func (b *best) add(id int64, score float64) {
	if b.full && b.rule.Before(score, b.last.score, id, b.last.id) > 0 {
		return
	}
	if b.pairs = append(b.pairs, pair{id, score}); len(b.pairs) == 2*b.width {
		b.sort()
	}
}

func (b *best) sort() {
	slices.SortFunc(b.pairs, func(x, y pair) int { return b.rule.Before(x.score, y.score, x.id, y.id) })
	if b.full = len(b.pairs) >= b.width; b.full {
		b.pairs, b.last = b.pairs[:b.width], b.pairs[b.width-1]
	}
}

// write writes the pairs, best first, and pads the end.
func (b *best) write(ids []int64, scores []float64) {
	b.sort()
	for i := range ids {
		ids[i], scores[i] = algorithms.Unreached, math.NaN()
		if i < len(b.pairs) {
			ids[i], scores[i] = b.pairs[i].id, b.pairs[i].score
		}
	}
}
