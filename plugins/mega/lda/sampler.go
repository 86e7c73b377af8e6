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
//	β x_k       of all topics: their sum is kept; those are gone through, the document's first, if it is drawn, which is
//	            seldom
type sampler struct {
	alpha, beta, prior float32 // prior: V β
	seed               uint64
	alone              bool // no other worker changes what it has met
	clock, epoch       int  // 1 more than those that it has begun
	random             random
	document           counts
	weights            []float32 // x, by topic
	all                float64   // their sum
	words              lists
	sums               []float32
	product            float64 // of p(w) that are not in the loss yet
}

func newSampler(p Params, words int, room int64) *sampler {
	return &sampler{alpha: float32(p.Alpha), beta: float32(p.Beta), prior: float32(p.Beta * float64(words)), seed: p.Seed,
		alone: p.Workers <= 1, document: newCounts(p.Topics), weights: make([]float32, p.Topics),
		words: newLists(words, room), sums: make([]float32, p.Topics), product: 1}
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
	for k := range s.weights {
		s.weights[k] = 0
		s.weigh(w, uint16(k), 0)
	}
}

// weigh finds the weight of a topic that the document has so often.
func (s *sampler) weigh(w *mega.Worker[int32], k uint16, many int32) {
	x := (float32(many) + s.alpha) / (float32(w.Context[k]) + s.prior)
	s.all += float64(x) - float64(s.weights[k])
	s.weights[k] = x
}

// draw draws the topics of tokens of a document.
func (s *sampler) draw(w *mega.Worker[int32], topics []uint16, edges mega.Edges[int32, Tokens]) {
	s.begin(w)
	for _, k := range topics {
		s.document.add(k)
	}
	for i, k := range s.document.topics {
		s.weigh(w, k, s.document.many[i])
	}
	others := float32(len(topics)-1) + s.alpha*float32(len(s.weights))
	for i, e := range edges.Values {
		word := edges.Targets[i]
		list := s.meet(word, edges)
		tokens := topics[e.First : e.First+e.Count]
		for t, old := range tokens {
			at := list.find(old)
			list[at].many--
			w.Context[old]--
			s.weigh(w, old, s.document.remove(old))
			k, to, sum := s.choose(list, s.random.float())
			w.Context[k]++
			s.weigh(w, k, s.document.add(k))
			s.told(w, sum/others)
			if k == old {
				list[at].many++
				continue
			}
			list.add(k, to)
			list.drop(at)
			tokens[t] = k
			s.words.changed[word] = true
		}
		s.words.of[word] = list
	}
	for _, k := range s.document.topics {
		s.weigh(w, k, 0)
	}
	s.document.clear()
	s.told(w, 0)
}

// meet is the list of a word, by its row where others may have changed that.
func (s *sampler) meet(word uint32, edges mega.Edges[int32, Tokens]) list {
	if met := s.words.met[word]; met == int32(s.clock) || s.alone && met > 0 {
		return s.words.of[word]
	}
	s.words.met[word] = int32(s.clock)
	return s.words.read(word, edges.Mirrors[int(word)*edges.Width:][:edges.Width])
}

// choose draws a topic for a token of a word that has these, by u from 0 to 1, and says what the weights of all topics
// add up to. The place is that in the list, or -1.
func (s *sampler) choose(of list, u float32) (topic uint16, place int, sum float32) {
	weights, sums, own := s.weights, s.sums[:len(of)], float32(0)
	for i, e := range of {
		own += float32(e.many) * weights[e.topic]
		sums[i] = own
	}
	sum = own + s.beta*float32(s.all)
	at := u * sum
	if at < own {
		for i, x := range sums {
			if at < x {
				return uint16(of[i].topic), i, sum
			}
		}
	}
	return s.any((at - own) / s.beta), -1, sum
}

// any is the topic at which weights of all topics add up to more than so much, the document's first.
func (s *sampler) any(at float32) uint16 {
	for _, k := range s.document.topics {
		if at < s.weights[k] {
			return k
		}
		at -= s.weights[k]
	}
	last := uint16(0) // where rounding has left at above all weights
	for k, x := range s.weights {
		if s.document.place[k] > 0 {
			continue
		}
		if last = uint16(k); at < x {
			break
		}
		at -= x
	}
	return last
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
