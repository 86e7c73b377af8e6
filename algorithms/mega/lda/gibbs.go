package lda

import "math/rand/v2"

// Sampler holds a topic for each token, and what it counts.
type Sampler struct {
	Params
	corpus       Corpus
	topics       [][]int32 // of tokens
	documents    []float64 // n_dk, a row for each document
	words        []float64 // n_kw, a row of all topics for each word
	tokens       []float64 // n_k
	random       *rand.Rand
	distribution []float64 // of a token, not normalized: sums up to each topic
}

// New gives each token a topic at random.
func New(c Corpus, p Params) (*Sampler, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	k := p.Topics
	s := &Sampler{Params: p, corpus: c, topics: make([][]int32, len(c.Documents)),
		documents: make([]float64, k*len(c.Documents)), words: make([]float64, k*c.Words),
		tokens: make([]float64, k), random: rand.New(rand.NewPCG(p.Seed, 0)), distribution: make([]float64, k)}
	for d, words := range c.Documents {
		s.topics[d] = make([]int32, len(words))
		for i, w := range words {
			s.topics[d][i] = int32(s.random.IntN(k))
			s.count(d, w, s.topics[d][i], 1)
		}
	}
	return s, nil
}

// Sweep draws the topic of each token once.
func (s *Sampler) Sweep() {
	k, prior := s.Topics, s.Beta*float64(s.corpus.Words)
	for d, words := range s.corpus.Documents {
		document := s.documents[d*k:][:k]
		for i, w := range words {
			s.count(d, w, s.topics[d][i], -1)
			word, sum := s.words[int(w)*k:][:k], 0.0
			for z, n := range document {
				sum += (n + s.Alpha) * (word[z] + s.Beta) / (s.tokens[z] + prior)
				s.distribution[z] = sum
			}
			s.topics[d][i] = draw(s.random, s.distribution)
			s.count(d, w, s.topics[d][i], 1)
		}
	}
}

func (s *Sampler) count(d int, w uint32, z int32, by float64) {
	s.documents[d*s.Topics+int(z)] += by
	s.words[int(w)*s.Topics+int(z)] += by
	s.tokens[z] += by
}

// draw takes the place of a number below the last of sums that only grow.
func draw(r *rand.Rand, sums []float64) int32 {
	at := r.Float64() * sums[len(sums)-1]
	for z, sum := range sums {
		if at < sum {
			return int32(z)
		}
	}
	return int32(len(sums) - 1)
}

// Phi is φ as it is expected: for each word a row of its probability in each topic.
func (s *Sampler) Phi() []float64 {
	phi, prior := make([]float64, len(s.words)), s.Beta*float64(s.corpus.Words)
	for i, n := range s.words {
		phi[i] = (n + s.Beta) / (s.tokens[i%s.Topics] + prior)
	}
	return phi
}
