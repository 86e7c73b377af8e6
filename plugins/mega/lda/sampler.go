package lda

import (
	"math"

	"github.com/penstock-db/penstock/plugins/mega"
)

// sampler draws the topics of a worker's tokens, document by document, as SparseLDA does (Yao, Mimno, McCallum:
// Efficient Methods for Topic Model Inference on Streaming Document Collections, KDD 2009). With the weight
// x_k = (n_dk + α) / (n_k + V β) of the document, p is a sum of two parts:
//
//	n_kw x_k    of the topics that the word has: these are gone through
//	β x_k       of all topics: their sum is kept, and that of each block; these are gone through, and then the topics of
//	            one, if it is drawn, which is seldom
type sampler struct {
	alpha, beta, prior float32 // prior: V β
	seed               uint64
	alone              bool // no other worker changes what it has met
	clock, epoch       int  // 1 more than those that it has begun
	random             random
	document           counts
	shares             []float32 // 1 / (n_k + V β), by topic
	weights            []float32 // x, by topic; and 0, of one that does not exist
	blocks             []float64 // what those of a block of topics add up to
	all                float64   // what all do
	words              lists
	products           []float32
	product            float64 // of p(w) that are not in the loss yet
}

func newSampler(p Params, words int, room int64) *sampler {
	return &sampler{alpha: float32(p.Alpha), beta: float32(p.Beta), prior: float32(p.Beta * float64(words)), seed: p.Seed,
		alone: p.Workers <= 1, document: newCounts(p.Topics), shares: make([]float32, p.Topics),
		weights: make([]float32, p.Topics+1), blocks: make([]float64, (p.Topics+blockTopics-1)/blockTopics),
		words: newLists(words, p.Topics, room), products: make([]float32, p.Topics+group), product: 1}
}

// begin makes ready for a clock, or an epoch, that has begun.
func (s *sampler) begin(w *mega.Worker[int32]) {
	if s.epoch != w.Epoch+1 {
		s.epoch, s.random = w.Epoch+1, newRandom(s.seed, w.Number, w.Epoch)
	}
	if s.clock == w.Clock+1 {
		return
	}
	s.clock, s.all = w.Clock+1, 0
	clear(s.weights)
	clear(s.blocks)
	for k := range s.shares {
		s.share(w, uint16(k))
		s.weigh(uint16(k), 0)
	}
}

// share finds what one token more is to the weight of a topic.
func (s *sampler) share(w *mega.Worker[int32], k uint16) {
	s.shares[k] = 1 / (float32(w.Context[k]) + s.prior)
}

// weigh finds the weight of a topic that the document has so often.
func (s *sampler) weigh(k uint16, many int32) {
	x := (float32(many) + s.alpha) * s.shares[k]
	more := float64(x) - float64(s.weights[k])
	s.all += more
	s.blocks[k/blockTopics] += more
	s.weights[k] = x
}

// ahead is how many words before its turn a list is fetched: lists of all words are more than a near cache holds.
const ahead = 2

// draw draws the topics of tokens of a document.
func (s *sampler) draw(w *mega.Worker[int32], topics []uint16, edges mega.Edges[int32, Tokens]) {
	s.begin(w)
	for _, k := range topics {
		s.document.add(k)
	}
	for i, k := range s.document.topics {
		s.weigh(k, s.document.many[i])
	}
	others := 1 / (float32(len(topics)-1) + s.alpha*float32(len(s.shares)))
	for i, e := range edges.Values {
		if i+ahead < len(edges.Targets) {
			s.words.expect(edges.Targets[i+ahead])
		}
		s.tokens(w, topics[e.First:e.First+e.Count], edges.Targets[i], s.meet(edges.Targets[i], edges), others)
	}
	for _, k := range s.document.topics {
		s.weigh(k, 0)
	}
	s.document.clear()
	s.told(w, 0)
}

// tokens draws the topics of tokens of a word, which has this list.
func (s *sampler) tokens(w *mega.Worker[int32], topics []uint16, word uint32, of list, others float32) {
	for t, old := range topics {
		w.Context[old]--
		s.share(w, old)
		s.weigh(old, s.document.remove(old))
		u, rest := s.random.float(), s.beta*float32(s.all)
		from, to, own := choose(of, s.weights, s.products, old, u, rest)
		var k uint16
		if to >= 0 {
			k = uint16(of[to].topic)
		} else {
			k = s.any((u*(own+rest) - own) / s.beta)
		}
		w.Context[k]++
		s.share(w, k)
		s.weigh(k, s.document.add(k))
		s.told(w, (own+rest)*others)
		if k == old {
			continue
		}
		of[from].many--
		of.add(k, to)
		of.drop(from, s.words.none)
		topics[t] = k
		s.words.changed[word] = true
	}
	s.words.of[word] = of
}

// meet is the list of a word, by its row where others may have changed that.
func (s *sampler) meet(word uint32, edges mega.Edges[int32, Tokens]) list {
	if met := s.words.met[word]; met == int32(s.clock) || s.alone && met > 0 {
		return s.words.of[word]
	}
	s.words.met[word] = int32(s.clock)
	return s.words.read(word, edges.Mirrors[int(word)*edges.Width:][:edges.Width])
}

// any is the topic at which weights of all topics add up to more than so much, or the last, where rounding has left at
// above them all.
func (s *sampler) any(at float32) uint16 {
	rest, block := float64(at), 0
	for ; block < len(s.blocks)-1 && rest >= s.blocks[block]; block++ {
		rest -= s.blocks[block]
	}
	first := block * blockTopics
	last := min(first+blockTopics, len(s.shares)) - 1
	for k := first; k < last; k++ {
		if rest -= float64(s.weights[k]); rest < 0 {
			return uint16(k)
		}
	}
	return uint16(last)
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
