// Package hashgnn embeds vertices by hashing their features (embedding.Hashing).
//
//	first ──▶ features ──┬─ draw: hashes of 8 rounds ─ pass ─▶ messages ─ keep ─┬──▶ features of the next iteration
//	                     └──────────────── 8 rounds more ◀──────────────────────┘    ──last──▶ write: embedding
//
// It takes 64 bytes a vertex, 16 for each 64 features of it, 192 bytes a feature, and 20 more of each thread; with
// planes 8 bytes a feature and number of a vector, with a projection as many a feature and number of an embedding.
package hashgnn

import (
	"context"
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/embedding"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// rounds are done at once: their messages of a vertex are a cache line.
const rounds = 8

// hashes are those of as many rounds.
type hashes [rounds]embedding.Hash

var none = func() (h hashes) {
	for k := range h {
		h[k] = embedding.NoHash
	}
	return h
}()

// less makes each the least of two.
func (h *hashes) less(than *hashes) {
	for k, x := range than {
		h[k] = min(h[k], x)
	}
}

// hashing is a task. Each vertex pulls what its neighbors pass on. (Wu, Li, Luo, Nejdl 2021.)
type hashing struct {
	procedures.Input
	hash      embedding.Hashing
	embedding []float64
	vectors   []float32 // none where features are drawn
	inputs    int       // numbers of a vector
	lists     []csr.Index
	edges     uint64 // in all of these

	words     int      // of a set of features
	now, next []uint64 // features of all vertices
	messages  []hashes // of each vertex
	tables    [3][]hashes
	workers   []worker
}

// worker is what a thread has for itself.
type worker struct {
	features []int32
	hashes   []embedding.Hash
	products []float64
	kept     uint64 // features of vertices, which it has counted
}

func init() {
	procedures.Register("hashgnn", func(f procedures.Input) (procedures.Procedure, error) {
		h := embedding.NewHashing(f.Args)
		s := &hashing{Input: f, hash: h, words: (h.Features + 63) / 64, inputs: int(f.Args.Ints["featureProperties"]),
			embedding: f.Columns["embedding"].Floats}
		err := f.Columns.Require(algorithms.Column{Name: "id", Type: algorithms.Int},
			algorithms.Column{Name: "out_degree", Type: algorithms.Int}, algorithms.Column{Name: "in_degree", Type: algorithms.Int},
			algorithms.Column{Name: "embedding", Type: algorithms.Float, Each: int(f.Args.Ints["embeddingDimension"])})
		if err == nil && s.inputs > 0 {
			s.vectors, err = f.Rows.Require(algorithms.InputColumn("featureProperties"), f.N*s.inputs)
		}
		return s, err
	})
}

// Scratch: sets of features, messages, tables, what workers have, planes and projection.
func (s *hashing) Scratch() uint64 {
	features := uint64(s.hash.Features)
	bytes := uint64(s.N)*(16*uint64(s.words)+8*rounds) + features*(3*8*rounds+20*uint64(s.Pool.Threads))
	if s.hash.Planes() {
		bytes += 8 * features * uint64(s.inputs)
	}
	return bytes + 8*features*uint64(s.Args.Ints["outputDimension"])
}

func (s *hashing) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	s.begin(chunks)
	iterations, density := int(s.Args.Ints["iterations"]), int(s.Args.Ints["embeddingDensity"])
	batches := (density + rounds - 1) / rounds
	steps, done := float64(2*iterations*batches+2), 0.0
	step := func(do func(w *worker, v int) error) error {
		done++
		part := procedures.Progress{From: (done - 1) / steps, To: done / steps, Tell: tell}
		return s.Each(ctx, part, func(number, v int) error { return do(&s.workers[number], v) })
	}
	first, err := s.first(ctx)
	if err == nil {
		err = step(first)
	}
	looked := uint64(0)
	for i := range iterations {
		influence := s.hash.Influence(uint64(s.N), s.edges, s.counted())
		for batch := range batches {
			if err == nil {
				err = s.draw(ctx, i, batch*rounds, density)
			}
			if err == nil {
				err = step(func(w *worker, v int) error { return s.pass(w, v, batch == 0) })
			}
			if err == nil {
				err = step(func(w *worker, v int) error { return s.keep(w, v, influence) })
			}
			if err != nil {
				return looked, err
			}
			looked += s.edges
		}
		s.now, s.next = s.next, s.now
	}
	if err == nil {
		var write func(w *worker, v int) error
		if write, err = s.writing(ctx); err == nil {
			err = step(write)
		}
	}
	return looked, err
}

// begin allocates.
func (s *hashing) begin(chunks []*csr.Chunk) {
	var degrees [][]int64
	s.lists, degrees = s.Oriented(chunks)
	for _, degree := range degrees {
		for _, d := range degree {
			s.edges += uint64(d)
		}
	}
	s.now, s.next = make([]uint64, s.N*s.words), make([]uint64, s.N*s.words)
	s.messages = make([]hashes, s.N)
	for use := range s.tables {
		s.tables[use] = make([]hashes, s.hash.Features)
	}
	s.workers = make([]worker, s.Pool.Threads)
	for i := range s.workers {
		s.workers[i] = worker{features: make([]int32, 0, s.hash.Features),
			hashes: make([]embedding.Hash, s.hash.Features), products: make([]float64, s.hash.Features)}
	}
}

// counted is how many features vertices have together, since it was asked for the last time.
func (s *hashing) counted() (kept uint64) {
	for i := range s.workers {
		kept += s.workers[i].kept
		s.workers[i].kept = 0
	}
	return kept
}

// row is the set of features of v.
func (s *hashing) row(of []uint64, v int) []uint64 { return of[v*s.words:][:s.words:s.words] }

// add adds a feature to a set.
func (w *worker) add(set []uint64, feature int) {
	if word, bit := &set[feature/64], uint64(1)<<(feature%64); *word&bit == 0 {
		*word |= bit
		w.kept++
	}
}

// list lists a set.
func (w *worker) list(set []uint64) []int32 {
	w.features = w.features[:0]
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			w.features = append(w.features, int32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return w.features
}

// first gives a vertex the features that it begins with.
func (s *hashing) first(ctx context.Context) (func(w *worker, v int) error, error) {
	vector := func(v int) []float32 { return s.vectors[v*s.inputs:][:s.inputs] }
	set := func(w *worker, v int) func(int) { return func(f int) { w.add(s.row(s.now, v), f) } }
	switch {
	case s.inputs == 0:
		return func(w *worker, v int) error {
			s.hash.Draw(s.Columns["id"].Ints[v], set(w, v))
			return nil
		}, nil
	case !s.hash.Planes():
		return func(w *worker, v int) error {
			if err := s.hash.Given(vector(v), set(w, v)); err != nil {
				return plugins.Errorf(plugins.KindInvalid, "vertex %d: %w", s.Columns["id"].Ints[v], err)
			}
			return nil
		}, nil
	}
	normals, err := s.matrix(ctx, s.inputs, s.hash.Features, s.hash.Normals)
	return func(w *worker, v int) error {
		s.hash.Sides(vector(v), normals, w.products, set(w, v))
		return nil
	}, err
}

// matrix has rows that are drawn.
func (s *hashing) matrix(ctx context.Context, rows, width int,
	draw func(row int, numbers []float64)) ([][]float64, error) {
	all := make([][]float64, rows)
	return all, s.Pool.Run(ctx, rows, func(_, row int) {
		all[row] = make([]float64, width)
		draw(row, all[row])
	})
}

// draw draws the hashes of some rounds, the first of these and those behind it. What is behind the last has none.
func (s *hashing) draw(ctx context.Context, iteration, first, all int) error {
	return s.Pool.Run(ctx, len(s.tables)*rounds, func(number, task int) {
		use, k := task/rounds, task%rounds
		drawn := s.workers[number].hashes
		if first+k < all {
			s.hash.Hashes(iteration, first+k, embedding.HashUse(use), drawn)
		}
		for f, x := range drawn {
			if first+k >= all {
				x = embedding.NoHash
			}
			s.tables[use][f][k] = x
		}
	})
}

// pass finds what v passes on: the hashes by which its neighbors compare that. At the beginning of an iteration its
// next features are none.
func (s *hashing) pass(w *worker, v int, begins bool) error {
	if begins {
		clear(s.row(s.next, v))
	}
	message := &s.messages[v]
	*message = none
	for _, f := range w.list(s.row(s.now, v)) {
		message.less(&s.tables[embedding.Passing][f])
	}
	for k, x := range message {
		if x != embedding.NoHash {
			message[k] = s.tables[embedding.Near][x.Feature()][k]
		}
	}
	return nil
}

// keep adds to the next features of v those of the least hashes.
func (s *hashing) keep(w *worker, v int, influence float64) error {
	near, own := none, none
	for _, lists := range s.lists {
		for _, c := range lists.Of(v) {
			_, from, to := c.Row(v)
			for _, u := range c.Neighbors[from:to] {
				near.less(&s.messages[int(c.Cols.Base)+int(u)])
			}
		}
	}
	for _, f := range w.list(s.row(s.now, v)) {
		own.less(&s.tables[embedding.Own][f])
	}
	set := s.row(s.next, v)
	for k, x := range own {
		if near[k].Below(influence, x) {
			x = near[k]
		}
		if x != embedding.NoHash {
			w.add(set, x.Feature())
		}
	}
	return nil
}

// writing writes the embedding of a vertex: its features, or what they are projected to.
func (s *hashing) writing(ctx context.Context) (func(w *worker, v int) error, error) {
	width := int(s.Args.Ints["embeddingDimension"])
	var projection [][]float64
	var err error
	if s.Args.Ints["outputDimension"] > 0 {
		projection, err = s.matrix(ctx, s.hash.Features, width, s.hash.Projection)
	}
	return func(w *worker, v int) error {
		embedding := s.embedding[v*width:][:width]
		clear(embedding)
		for _, f := range w.list(s.row(s.now, v)) {
			if projection == nil {
				embedding[f] = 1
				continue
			}
			for k, x := range projection[f] {
				embedding[k] += x
			}
		}
		return nil
	}, err
}
