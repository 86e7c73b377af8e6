package lda

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms/mega/lda"
	"github.com/penstock-db/penstock/algorithms/mega/megatest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega"
)

// Of a corpus of three tokens every assignment of topics is drawn as often as its joint probability says: chi-square.
func TestSampler_DrawsThePosterior(t *testing.T) {
	p := Params{Topics: 2, Alpha: 0.5, Beta: 0.3, Seed: testseed.Rand(t).Uint64()}
	documents := [][]uint32{{0, 1}, {0}}
	topics := [][]uint16{{0, 0}, {0}}
	s, mirrors := newSampler(p, 2, 2*room(4, 2)), []int32{2, 0, 1, 0}
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

// Topics are drawn by their conditional probability, the token itself not being counted: by even steps from 0 to 1,
// with each kind of instructions that the processor has.
func TestSampler_DrawsByTheConditional(t *testing.T) {
	defer func() { kernel = detected }()
	r := testseed.Rand(t)
	for try := range 60 {
		kernel = detected && try%2 == 0
		p := Params{Topics: 1 + r.IntN(300), Alpha: 0.01 + r.Float64(), Beta: 0.01 + r.Float64()}
		const words, steps = 9, 100000
		s := newSampler(p, words, room(1<<20, p.Topics))
		w, row := &mega.Worker[int32]{Context: make([]int32, p.Topics)}, make([]int32, p.Topics)
		many, old := make([]float64, p.Topics), uint16(r.IntN(p.Topics))
		for k := range row {
			row[k] = max(0, int32(r.IntN(40)-r.IntN(60)))
			w.Context[k] = row[k] + int32(r.IntN(200))
		}
		row[old]++
		s.begin(w)
		for range r.IntN(30) {
			k := r.IntN(p.Topics)
			s.weigh(uint16(k), s.document.add(uint16(k)))
			many[k]++
		}
		list := s.meet(0, mega.Edges[int32, Tokens]{Mirrors: row, Width: p.Topics})
		row[old]--
		want, all := make([]float64, p.Topics), 0.0
		for k := range want {
			want[k] = (many[k] + p.Alpha) * (float64(row[k]) + p.Beta) / (float64(w.Context[k]) + words*p.Beta)
			all += want[k]
		}
		is, rest := make([]float64, p.Topics), s.beta*float32(s.all)
		for i := range steps {
			u := (float32(i) + 0.5) / steps
			from, to, own := choose(list, s.weights, s.products, old, u, rest)
			if math.Abs(float64(own+rest)-all) > 1e-4*all {
				t.Fatalf("weights add up to %v, not to %v", own+rest, all)
			}
			if list[from].topic != int32(old) {
				t.Fatalf("topic %d has place %d of %v", old, from, list)
			}
			if to >= 0 {
				is[list[to].topic]++
			} else {
				is[s.any((u*(own+rest)-own)/s.beta)]++
			}
		}
		for k, x := range want {
			if math.Abs(is[k]/steps-x/all) > 1e-3 {
				t.Fatalf("topic %d of %d is drawn with %v, its probability is %v", k, p.Topics, is[k]/steps, x/all)
			}
		}
	}
}

// With a kernel the places are those without one, but for what rounding does.
func TestChoose_KernelAsGo(t *testing.T) {
	if !detected {
		t.Skip("this processor has no AVX2")
	}
	defer func() { kernel = detected }()
	r := testseed.Rand(t)
	apart := 0
	const tries = 20000
	for range tries {
		topics := 1 + r.IntN(100)
		weights, products := make([]float32, topics+1), make([]float32, topics+group)
		l, row := newLists(1, topics, room(1<<20, topics)), make([]int32, topics)
		for k := range topics {
			weights[k] = r.Float32()
			row[k] = max(0, int32(r.IntN(9)-r.IntN(20)))
		}
		old := uint16(r.IntN(topics))
		row[old]++
		of, u, rest := l.read(0, row), r.Float32(), r.Float32()
		kernel = false
		from, to, own := choose(of, weights, products, old, u, rest)
		kernel = true
		a, b, sum := choose(of, weights, products, old, u, rest)
		if a != from || math.Abs(float64(own-sum)) > 1e-4*float64(own) {
			t.Fatalf("topic %d of %v has place %d and weight %v of all, without a kernel %d and %v", old, of, a, sum, from, own)
		}
		if b != to {
			apart++
		}
	}
	if apart > tries/1000 {
		t.Errorf("%d of %d draws are others", apart, tries)
	}
}

// What is drawn at the very end of a list is one of its topics, however sums are rounded.
func TestChoose_AtTheEnd(t *testing.T) {
	if !detected {
		t.Skip("this processor has no AVX2")
	}
	r := testseed.Rand(t)
	u := math.Nextafter32(1, 0)
	for range 20000 {
		topics := 1 + r.IntN(40)
		weights, products := make([]float32, topics+1), make([]float32, topics+group)
		l, row := newLists(1, topics, room(1<<20, topics)), make([]int32, topics)
		for k := range topics {
			weights[k], row[k] = r.Float32(), int32(r.IntN(3))
		}
		old := uint16(r.IntN(topics))
		row[old]++
		of := l.read(0, row)
		_, to, own := choose(of, weights, products, old, u, 0)
		if to >= len(of) || to >= 0 && products[to] == 0 && own > 0 {
			t.Fatalf("%d is drawn of %v, weights %v, topic %d", to, of, weights, old)
		}
	}
}

// Half of a document foretells the other as by the definition, and all of it says what it is about.
func TestTopics_AsByTheDefinition(t *testing.T) {
	r := testseed.Rand(t)
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
