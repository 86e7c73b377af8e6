package lda

import (
	"math"

	"github.com/penstock-db/penstock/plugins/mega"
)

// sampler draws the topics of a worker's tokens. With φ_k = (n_kw + β) / (n_k + V β), p is a sum of two parts:
//
//	n_dk φ_k    the topics that the document has: they are gone through, as in SparseLDA (Yao, Mimno, McCallum, KDD'09)
//	α φ_k       all topics: by sums over blocks of them, which each word keeps
//
// The sums of the second part have the n_k with which the clock has begun, q_k in the place of 1 / (n_k + V β): else
// each token would change those of all words. What this makes of p is only proposed, and taken with the probability
//
//	min(1, r(new) / r(old)),    r(k) = (n_dk + α) / (n_k + V β) / (n_dk / (n_k + V β) + α q_k)
//
// which makes up for it (Metropolis and Hastings), but for that q knows what the token's own topic was as the clock
// began, one of n_k. r is nearly the same of all topics.
type sampler struct {
	alpha, beta, prior float32 // prior: V β
	seed               uint64
	topics             int
	clock, epoch       int // 1 more than those that it has begun
	random             random
	document           counts
	inverse            []float32 // of n_k + V β
	began              []float32 // the same, as the clock has begun: q
	words              blocks    // of (n_kw + β) q_k, by mirror
	known              []int32   // by mirror, the clock of which its blocks are
	sums               []float32
	product            float64 // of p(w) that are not in the loss yet
}

func newSampler(p Params, words int) *sampler {
	return &sampler{alpha: float32(p.Alpha), beta: float32(p.Beta), prior: float32(p.Beta * float64(words)), seed: p.Seed,
		topics: p.Topics, document: newCounts(p.Topics), inverse: make([]float32, p.Topics),
		began: make([]float32, p.Topics), words: newBlocks(p.Topics, words), known: make([]int32, words),
		sums: make([]float32, p.Topics), product: 1}
}

// begin makes ready for a clock, or an epoch, that has begun.
func (s *sampler) begin(w *mega.Worker[int32]) {
	if s.epoch != w.Epoch+1 {
		s.epoch, s.random = w.Epoch+1, newRandom(s.seed, w.Number, w.Epoch)
	}
	if s.clock == w.Clock+1 {
		return
	}
	s.clock = w.Clock + 1
	for k, n := range w.Context {
		s.inverse[k] = 1 / (float32(n) + s.prior)
	}
	copy(s.began, s.inverse)
}

// draw draws the topics of tokens of a document.
func (s *sampler) draw(w *mega.Worker[int32], topics []uint16, edges mega.Edges[int32, Tokens]) {
	s.begin(w)
	s.document.clear()
	for _, k := range topics {
		s.document.add(k)
	}
	others := float32(len(topics)-1) + s.alpha*float32(s.topics)
	for i, e := range edges.Values {
		word, row := edges.Targets[i], edges.Row(i)
		s.meet(word, row)
		tokens := topics[e.First : e.First+e.Count]
		for t, old := range tokens {
			s.change(w, word, row, old, -1)
			s.document.remove(old)
			u, v := s.random.two()
			k, sum := s.propose(word, row, u)
			if k != old && v*s.ratio(old) > s.ratio(k) {
				k = old
			}
			tokens[t] = k
			s.document.add(k)
			s.change(w, word, row, k, 1)
			s.told(w, sum/others)
		}
	}
	s.told(w, 0)
}

// meet makes ready the blocks of a word.
func (s *sampler) meet(word uint32, row []int32) {
	if s.known[word] == int32(s.clock) {
		return
	}
	s.known[word] = int32(s.clock)
	total, parts := float32(0), s.words.of(word)
	for b := range parts {
		sum, from := float32(0), b*blockTopics
		began := s.began[from:min(from+blockTopics, len(row))]
		for k, n := range row[from:][:len(began)] {
			sum += (float32(n) + s.beta) * began[k]
		}
		parts[b] = sum
		total += sum
	}
	s.words.total[word] = total
}

// change counts a token of a word more, or less, of topic k.
func (s *sampler) change(w *mega.Worker[int32], word uint32, row []int32, k uint16, by int32) {
	row[k] += by
	w.Context[k] += by
	s.inverse[k] = 1 / (float32(w.Context[k]) + s.prior)
	s.words.add(word, k, float32(by)*s.began[k])
}

// propose draws a topic for a token of a word, by u from 0 to 1, and says what the weights of all topics add up to.
func (s *sampler) propose(word uint32, row []int32, u float32) (topic uint16, sum float32) {
	topics := s.document.topics
	many, sums := s.document.many[:len(topics)], s.sums[:len(topics)]
	inverse, beta, own := s.inverse, s.beta, float32(0)
	for i, k := range topics {
		own += many[i] * (float32(row[k]) + beta) * inverse[k]
		sums[i] = own
	}
	sum = own + s.alpha*s.words.total[word]
	at := u * sum
	for i, x := range sums {
		if at < x {
			return topics[i], sum
		}
	}
	block, at := s.words.find(word, (at-own)/s.alpha)
	from := block * blockTopics
	began := s.began[from:min(from+blockTopics, len(row))]
	for k, n := range row[from:][:len(began)] {
		x := (float32(n) + beta) * began[k]
		if at < x {
			return uint16(from + k), sum
		}
		at -= x
	}
	return uint16(from + len(began) - 1), sum
}

// ratio is what p has of a topic, of what it is proposed with.
func (s *sampler) ratio(k uint16) float32 {
	n, is := s.document.of(k), s.inverse[k]
	return (n + s.alpha) * is / (n*is + s.alpha*s.began[k])
}

// told adds −log p to the loss, of several tokens at a time; 0: of those that are not in it yet.
func (s *sampler) told(w *mega.Worker[int32], p float32) {
	const least = 1e-200
	if p > 0 {
		if s.product *= float64(p); s.product > least {
			return
		}
	}
	w.Loss -= math.Log(s.product)
	s.product = 1
}
