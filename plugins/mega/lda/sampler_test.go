package lda

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms/mega/lda"
	"github.com/penstock-db/penstock/algorithms/mega/megatest"
	"github.com/penstock-db/penstock/plugins/mega"
)

// Of a corpus of three tokens every assignment of topics is drawn as often as its joint probability says: chi-square.
func TestSampler_DrawsThePosterior(t *testing.T) {
	p := Params{Topics: 2, Alpha: 0.5, Beta: 0.3, Seed: megatest.Random(t).Uint64()}
	documents := [][]uint32{{0, 1}, {0}}
	topics := [][]uint16{{0, 0}, {0}}
	s, mirrors := newSampler(p, 2, 4), []int32{2, 0, 1, 0}
	w := &mega.Worker[int32]{Context: []int32{3, 0}}
	const samples, apart = 40000, 5
	var seen [8]float64
	for range samples {
		for range apart {
			for d, words := range documents {
				e := mega.Edges[int32, Tokens]{Targets: words, Mirrors: mirrors, Width: 2}
				for i := range words {
					e.Values = append(e.Values, Tokens{uint32(i), 1})
				}
				s.draw(w, topics[d], e)
			}
		}
		seen[topics[0][0]|topics[0][1]<<1|topics[1][0]<<2]++
	}
	megatest.Posterior(t, p.Alpha, p.Beta, seen)
}

// Topics are drawn by their conditional probability: by even steps from 0 to 1.
func TestSampler_DrawsByTheConditional(t *testing.T) {
	r := megatest.Random(t)
	for range 20 {
		p := Params{Topics: 1 + r.IntN(100), Alpha: 0.01 + r.Float64(), Beta: 0.01 + r.Float64()}
		const words, steps = 9, 100000
		s := newSampler(p, words, int64(p.Topics))
		w, row := &mega.Worker[int32]{Context: make([]int32, p.Topics)}, make([]int32, p.Topics)
		many := make([]float64, p.Topics)
		for k := range row {
			row[k] = max(0, int32(r.IntN(40)-20))
			w.Context[k] = row[k] + int32(r.IntN(200))
		}
		s.begin(w)
		for range r.IntN(30) {
			k := r.IntN(p.Topics)
			s.weigh(w, uint16(k), s.document.add(uint16(k)))
			many[k]++
		}
		list := s.meet(0, mega.Edges[int32, Tokens]{Mirrors: row, Width: p.Topics})
		want, all := make([]float64, p.Topics), 0.0
		for k := range want {
			want[k] = (many[k] + p.Alpha) * (float64(row[k]) + p.Beta) / (float64(w.Context[k]) + words*p.Beta)
			all += want[k]
		}
		is := make([]float64, p.Topics)
		for i := range steps {
			k, place, sum := s.choose(list, (float32(i)+0.5)/steps)
			if is[k]++; math.Abs(float64(sum)-all) > 1e-4*all {
				t.Fatalf("weights add up to %v, not to %v", sum, all)
			}
			if place >= 0 && list[place].topic != int32(k) {
				t.Fatalf("topic %d has place %d of %v", k, place, list)
			}
		}
		for k, x := range want {
			if math.Abs(is[k]/steps-x/all) > 1e-3 {
				t.Fatalf("topic %d of %d is drawn with %v, its probability is %v", k, p.Topics, is[k]/steps, x/all)
			}
		}
	}
}

// Half of a document foretells the other as by the definition, and all of it says what it is about.
func TestTopics_AsByTheDefinition(t *testing.T) {
	r := megatest.Random(t)
	const topics, words, documents, long = 40, 60, 400, 80
	p := Params{Topics: topics, Alpha: 0.2, Seed: r.Uint64()}
	phi := make([]float64, words*topics)
	single := make([]float32, len(phi))
	for k := range topics {
		sum := 0.0
		for w := range words {
			x := math.Pow(r.Float64(), 8)
			phi[w*topics+k] = x
			sum += x
		}
		for w := range words {
			phi[w*topics+k] /= sum
			single[w*topics+k] = float32(phi[w*topics+k])
		}
	}
	held, about := make([][]uint32, documents), make([]int, documents)
	for d := range held {
		about[d] = r.IntN(topics)
		for range long {
			k := about[d]
			if r.IntN(4) == 0 {
				k = r.IntN(topics)
			}
			x, w := r.Float64(), 0
			for ; w < words-1 && x >= phi[w*topics+k]; w++ {
				x -= phi[w*topics+k]
			}
			held[d] = append(held[d], uint32(w))
		}
	}
	want := lda.Perplexity(phi, held, lda.Params{Topics: topics, Alpha: p.Alpha, Seed: p.Seed}, 100)
	reader, theta := NewTopics(p, single, 100).Reader(), make([]float32, topics)
	sum, many, right := 0.0, 0, 0
	for d, tokens := range held {
		loss, n := reader.Completion(d, append([]uint32{}, tokens...), theta)
		sum, many = sum+loss, many+n
		reader.Mixture(d, append([]uint32{}, tokens...), theta)
		total, most := float32(0), 0
		for k, x := range theta {
			if total += x; x > theta[most] {
				most = k
			}
		}
		if math.Abs(float64(total)-1) > 1e-4 {
			t.Fatalf("a mixture adds up to %v", total)
		}
		if most == about[d] {
			right++
		}
	}
	if is := math.Exp(sum / float64(many)); math.Abs(is-want) > 0.03*want {
		t.Errorf("perplexity %v, by the definition %v", is, want)
	}
	if right < documents*9/10 {
		t.Errorf("of %d documents %d are about what they were drawn from", documents, right)
	}
}
