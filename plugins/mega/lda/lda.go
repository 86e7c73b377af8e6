// Package lda is latent Dirichlet allocation as a MEGA program (algorithms/mega/lda has the definition), and what its
// topics say of documents that it has not seen.
package lda

import (
	"unsafe"

	"github.com/penstock-db/penstock/plugins/mega"
)

// Params are those of a topic model. Topics are numbered from 0 to 65,535.
type Params struct {
	Topics      int
	Alpha, Beta float64
	Seed        uint64
	Workers     int
}

// Tokens are those of a word in a document: so many, from First on among the document's.
type Tokens struct{ First, Count uint32 }

// The row of a document: where among all tokens its own begin and end.
const (
	begin = iota
	end
	documentWidth
)

// Program draws the topic of each token of document d and word w once in an epoch, all others being as they are:
//
//	p(z = k) ∝ (n_dk + α) (n_kw + β) / (n_k + V β)
//
// where n count the other tokens: of the document with a topic, of a topic with the word, of a topic. Before the first
// epoch tokens have topics at random. Documents are the left side, their topics are in Program's own array; the row of
// a word is n_kw for each k, and the context is n_k. See sampler for how it is drawn. What is told of an epoch is the
// sum over tokens of −log p(w), by the topics of all other tokens.
func Program(p Params, g *mega.Graph[Tokens]) *mega.Program[int64, int32, Tokens] {
	bounds := make([]int64, g.Lefts()+1)
	for d := range g.Lefts() {
		bounds[d+1] = bounds[d]
		for _, e := range g.Edges[g.Offsets[d]:g.Offsets[d+1]] {
			bounds[d+1] += int64(e.Count)
		}
	}
	start := newStart(p, g, bounds)
	samplers, most := make([]*sampler, max(p.Workers, 1)), start.room(p.Topics)
	of := func(worker int) *sampler {
		if samplers[worker] == nil { // those of workers of other processes never are
			samplers[worker] = newSampler(p, g.Rights, most)
		}
		return samplers[worker]
	}
	return program(p, start, of)
}

// Outline is what Program is of any graph with so many tokens, for mega.Explain: no topics are drawn, and it cannot be
// run.
func Outline(p Params, tokens int) *mega.Program[int64, int32, Tokens] {
	return program(p, &start{topics: make([]uint16, tokens)}, nil)
}

func program(p Params, start *start, samplers func(worker int) *sampler) *mega.Program[int64, int32, Tokens] {
	return &mega.Program[int64, int32, Tokens]{
		Name: "lda", Keeps: mega.Keeps{Left: start.keep}, Left: mega.Rows{Mirror: documentWidth}, Right: mega.Rows{Shared: p.Topics},
		Context:      mega.Rows{Shared: p.Topics},
		StartLeft:    func(d int, row []int64) { row[begin], row[end] = start.bounds[d], start.bounds[d+1] },
		StartRight:   func(word int, row []int32) { copy(row, start.words[word*p.Topics:]) },
		StartContext: func(row []int32) { copy(row, start.all) },
		Block: func(w *mega.Worker[int32], document []int64, edges mega.Edges[int32, Tokens]) {
			samplers(w.Number).draw(w, start.topics[document[begin]:document[end]], edges)
		},
		Settle: func(w *mega.Worker[int32], word uint32, row []int32) { samplers(w.Number).words.settle(word, row) },
		Stages: []mega.Stage{mega.MiniBatch(mega.Exchange(), mega.Sync())},
	}
}

// start is what there is before the first epoch: topics of tokens at random, and how many there are of each, of a word
// and in all.
type start struct {
	bounds     []int64 // where the tokens of each document begin, and the end; nil: it is not known
	topics     []uint16
	words, all []int32
}

// keep has the topics of documents kept; where it is not known whose they are, as those of the first.
func (s *start) keep(first, end int, keep func([]byte)) {
	topics := s.topics
	switch {
	case s.bounds != nil:
		topics = topics[s.bounds[first]:s.bounds[end]]
	case first > 0 || end == 0:
		topics = nil
	}
	keep(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(topics))), 2*len(topics)))
}

func newStart(p Params, g *mega.Graph[Tokens], bounds []int64) *start {
	s := &start{bounds, make([]uint16, bounds[g.Lefts()]), make([]int32, g.Rights*p.Topics), make([]int32, p.Topics)}
	random, at := newRandom(p.Seed, 0, startEpoch), 0
	for i, word := range g.Targets {
		for range g.Edges[i].Count {
			k := random.below(p.Topics)
			s.topics[at] = uint16(k)
			s.words[int(word)*p.Topics+k]++
			s.all[k]++
			at++
		}
	}
	return s
}

// room is what lists of all words take.
func (s *start) room(topics int) (all int64) {
	for at := 0; at < len(s.words); at += topics {
		tokens := int64(0)
		for _, n := range s.words[at:][:topics] {
			tokens += int64(n)
		}
		all += room(tokens, topics)
	}
	return all
}

// Phi is φ as it is expected, by the counts of a word.
func (p Params) Phi(counts, ofTopics []int32, words int, phi []float32) {
	for k, n := range counts {
		phi[k] = float32((float64(n) + p.Beta) / (float64(ofTopics[k]) + p.Beta*float64(words)))
	}
}
