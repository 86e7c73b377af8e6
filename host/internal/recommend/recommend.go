// Package recommend finds the vertices that a model says most of together with each of some others, exactly.
//
//	vertex ──its list──▶ what it has an edge to ─┐
//	candidates ──block by block──▶ scores ───────┴─▶ the best that it has no edge to
//
// What is held of a vertex is a block of candidates with scores, and the best; what is known of edges is a chunk.
package recommend

import (
	"cmp"
	"slices"
)

// Suggestion is a vertex, and what the model says of it together with another.
type Suggestion struct {
	Vertex uint32
	Score  float64
}

// Scores says of a vertex with each of some candidates what the model makes of it, which is finite.
type Scores func(vertex uint32, candidates []uint32, to []float64) error

// block is of how many candidates scores are asked at a time.
const block = 1 << 13

// Finder finds suggestions. One goroutine uses it.
type Finder struct {
	top        int
	candidates []uint32 // ascending
	scores     Scores
	of         []float64
	wanted     []uint32
	best       []Suggestion // a heap, the worst first
}

// NewFinder finds top suggestions at the most among candidates, which ascend.
func NewFinder(candidates []uint32, top int, scores Scores) *Finder {
	return &Finder{top: top, candidates: candidates, scores: scores}
}

// Find finds the candidates of the highest scores with vertex, without it and those in known, which ascend. Of two with
// the same score the one comes first that is stored first. What it returns is valid until the next call.
//
// Errors: those of scores.
func (f *Finder) Find(vertex uint32, known []uint32) ([]Suggestion, error) {
	f.best = f.best[:0]
	for rest := f.candidates; len(rest) > 0; {
		f.wanted = f.wanted[:0]
		for len(rest) > 0 && len(f.wanted) < block {
			c := rest[0]
			rest = rest[1:]
			for len(known) > 0 && known[0] < c {
				known = known[1:]
			}
			if c != vertex && (len(known) == 0 || known[0] != c) {
				f.wanted = append(f.wanted, c)
			}
		}
		f.of = slices.Grow(f.of[:0], len(f.wanted))[:len(f.wanted)]
		if err := f.scores(vertex, f.wanted, f.of); err != nil {
			return nil, err
		}
		for i, score := range f.of {
			f.add(Suggestion{f.wanted[i], score})
		}
	}
	slices.SortFunc(f.best, func(a, b Suggestion) int { return order(b, a) })
	return f.best, nil
}

// order is negative where a is worse than b.
func order(a, b Suggestion) int {
	return cmp.Or(cmp.Compare(a.Score, b.Score), cmp.Compare(b.Vertex, a.Vertex))
}

// add keeps s if it is among the best.
func (f *Finder) add(s Suggestion) {
	h := f.best
	if len(h) < f.top {
		h = append(h, s)
		for i := len(h) - 1; i > 0 && order(h[i], h[(i-1)/2]) < 0; i = (i - 1) / 2 {
			h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		}
		f.best = h
		return
	}
	if f.top == 0 || order(s, h[0]) < 0 {
		return
	}
	h[0] = s
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if order(h[child], h[least]) < 0 {
				least = child
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}
