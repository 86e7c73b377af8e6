package lda

import "math"

// Topics say what a document is about, by φ, which is fixed.
type Topics struct {
	topics int
	alpha  float32
	phi    []float32 // of each word a row: its probability in each topic
	words  blocks
	sweeps int
	seed   uint64
}

// NewTopics takes a row of φ of each word; words of zeros it leaves out.
func NewTopics(p Params, phi []float32, sweeps int) *Topics {
	t := &Topics{topics: p.Topics, alpha: float32(p.Alpha), phi: phi, words: newBlocks(p.Topics, len(phi)/p.Topics),
		sweeps: sweeps, seed: p.Seed}
	for word := range len(phi) / p.Topics {
		for k, x := range t.row(uint32(word)) {
			t.words.add(uint32(word), uint16(k), x)
		}
	}
	return t
}

func (t *Topics) row(word uint32) []float32 { return t.phi[int(word)*t.topics:][:t.topics] }

// Reader reads documents. One goroutine has it.
type Reader struct {
	*Topics
	counts
	sums   []float32
	topics []uint16 // of the tokens
}

// Reader makes one.
func (t *Topics) Reader() *Reader {
	return &Reader{Topics: t, counts: newCounts(t.topics), sums: make([]float32, t.topics)}
}

// Mixture is θ of a document of these tokens, each a word: by so many sweeps of Gibbs sampling, the mean over the
// second half of them. The document's number says which numbers are random.
func (r *Reader) Mixture(document int, tokens []uint32, theta []float32) {
	random := newRandom(r.seed, document, 0)
	r.mixture(&random, tokens, theta)
}

func (r *Reader) mixture(random *random, tokens []uint32, theta []float32) {
	clear(theta)
	r.clear()
	r.topics = r.topics[:0]
	known := 0
	for _, word := range tokens {
		if r.words.total[word] > 0 {
			tokens[known] = word
			known++
		}
	}
	tokens = tokens[:known]
	for sweep := range r.sweeps {
		for i, word := range tokens {
			u := random.float()
			if sweep == 0 {
				r.topics = append(r.topics, 0)
			} else {
				r.remove(r.topics[i])
			}
			k := r.draw(word, u)
			r.topics[i] = k
			r.add(k)
		}
		if sweep >= r.sweeps/2 {
			for i, k := range r.counts.topics {
				theta[k] += float32(r.many[i])
			}
		}
	}
	times := float32(r.sweeps - r.sweeps/2)
	for k, n := range theta {
		theta[k] = (n/times + r.alpha) / (float32(known) + r.alpha*float32(len(theta)))
	}
}

// draw draws a topic by (n_k + α) φ_k.
func (r *Reader) draw(word uint32, u float32) uint16 {
	row, own := r.row(word), float32(0)
	for i, k := range r.counts.topics {
		own += float32(r.many[i]) * row[k]
		r.sums[i] = own
	}
	at := u * (own + r.alpha*r.words.total[word])
	for i, k := range r.counts.topics {
		if at < r.sums[i] {
			return k
		}
	}
	block, at := r.words.find(word, (at-own)/r.alpha)
	from := block * blockTopics
	row = row[from:min(from+blockTopics, len(row))]
	for k, x := range row {
		if at < x {
			return uint16(from + k)
		}
		at -= x
	}
	return uint16(from + len(row) - 1)
}

// Unseen are the tokens of a document, as Completion has left them, that it has not seen.
func Unseen(tokens []uint32) []uint32 { return tokens[(len(tokens)+1)/2:] }

// Completion is what a document's mixture, learned from half of its tokens, says of the others: the sum of
// −log Σ_k θ_k φ_k over so many of them. The document's number says which half is seen, which then comes first.
func (r *Reader) Completion(document int, tokens []uint32, theta []float32) (sum float64, many int) {
	random := newRandom(r.seed, document, 0)
	for i := len(tokens) - 1; i > 0; i-- {
		j := random.below(i + 1)
		tokens[i], tokens[j] = tokens[j], tokens[i]
	}
	unseen := Unseen(tokens)
	r.mixture(&random, tokens[:len(tokens)-len(unseen)], theta)
	for _, word := range unseen {
		if r.words.total[word] == 0 {
			continue
		}
		p := 0.0
		for k, x := range r.row(word) {
			p += float64(theta[k]) * float64(x)
		}
		sum -= math.Log(p)
		many++
	}
	return sum, many
}
