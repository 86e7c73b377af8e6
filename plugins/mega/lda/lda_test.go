package lda

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/penstock-db/penstock/algorithms/mega/megatest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega"
)

// kos is the documents of KOS but each tenth, and those.
func kos(t testing.TB) (g *mega.Graph[Tokens], held [][]uint32, tokens int) {
	g = &mega.Graph[Tokens]{Rights: 6906}
	at, n := 0, uint32(0)
	megatest.Lines(t, "uci-kos/docword.kos.txt.gz", func(f []string) {
		if len(f) != 3 {
			return
		}
		d, w, c := int(megatest.Number(t, f[0])), uint32(megatest.Number(t, f[1]))-1, uint32(megatest.Number(t, f[2]))
		if d%10 == 0 {
			if d != at {
				held = append(held, nil)
			}
			at = d
			for range c {
				held[len(held)-1] = append(held[len(held)-1], w)
			}
			return
		}
		if d != at {
			g.Offsets = append(g.Offsets, int64(len(g.Targets)))
			n = 0
		}
		at = d
		g.Targets, g.Edges = append(g.Targets, w), append(g.Edges, Tokens{n, c})
		n += c
		tokens += int(c)
	})
	g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	return g, held, tokens
}

// perplexity is that of documents held out.
func perplexity(p Params, s *mega.State[int64, int32], held [][]uint32) float64 {
	words := len(s.Right) / p.Topics
	phi := make([]float32, len(s.Right))
	for w := range words {
		p.Phi(s.Right[w*p.Topics:][:p.Topics], s.Context, words, phi[w*p.Topics:][:p.Topics])
	}
	r := NewTopics(p, phi, 100).Reader()
	theta := make([]float32, p.Topics)
	sum, many := 0.0, 0
	for d, doc := range held {
		s, n := r.Completion(d, append([]uint32{}, doc...), theta)
		sum += s
		many += n
	}
	return math.Exp(sum / float64(many))
}

// On blog entries of KOS it comes as far as plain Gibbs sampling in as many sweeps, by one worker and by several.
func TestRun_KosAsPlainGibbs(t *testing.T) {
	if !long.Tests() {
		t.Skip("takes two minutes: set PENSTOCK_LONG=1")
	}
	plain := map[int]float64{50: 1804, 200: 1673, 500: 1630}
	for _, o := range []mega.Options{{Epochs: 50}, {Epochs: 200}, {Epochs: 500}, {Epochs: 50, Workers: 4},
		{Epochs: 50, Workers: 2, Batches: 8, Slack: 2}} {
		g, held, _ := kos(t)
		p := Params{Topics: 50, Alpha: 0.1, Beta: 0.01, Seed: 1, Workers: o.Workers}
		s, _, err := mega.Run(t.Context(), Program(p, g), g, o)
		if err != nil {
			t.Fatal(err)
		}
		is := perplexity(p, s, held)
		t.Logf("%d epochs, %d workers: %.1f", o.Epochs, max(o.Workers, 1), is)
		if is > 1.02*plain[o.Epochs] {
			t.Errorf("%d epochs, %d workers: perplexity %.1f, plain Gibbs sampling %v", o.Epochs, o.Workers, is, plain[o.Epochs])
		}
	}
}

// corpus is a graph of documents whose words are drawn by do.
func corpus(words, documents int, do func(d int) []uint32) *mega.Graph[Tokens] {
	g := &mega.Graph[Tokens]{Rights: words, Offsets: []int64{0}}
	for d := range documents {
		many := make([]uint32, words)
		for _, w := range do(d) {
			many[w]++
		}
		first := uint32(0)
		for w, n := range many {
			if n > 0 {
				g.Targets, g.Edges = append(g.Targets, uint32(w)), append(g.Edges, Tokens{first, n})
				first += n
			}
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	return g
}

// At each barrier words have as many topics as tokens, and in the end so has each of them, whatever the slack.
func TestRun_ConservesTokens(t *testing.T) {
	r := testseed.Rand(t)
	const words, documents = 30, 40
	for _, o := range []mega.Options{{Workers: 1}, {Workers: 3, Batches: 4}, {Workers: 2, Batch: 7},
		{Workers: 3, Batches: 5, Slack: 2}, {Workers: 2, Batches: 3, Slack: mega.Asynchronous}} {
		of := make([]int32, words)
		tokens := int32(0)
		g := corpus(words, documents, func(int) (all []uint32) {
			for range 1 + r.IntN(50) {
				w := r.IntN(words)
				of[w]++
				tokens++
				all = append(all, uint32(w))
			}
			return all
		})
		o.Epochs = 6
		p := Params{Topics: 1 + r.IntN(70), Alpha: 0.1, Beta: 0.01, Seed: r.Uint64(), Workers: o.Workers}
		program := Program(p, g)
		epochs := 0
		if program.Tally = 1; o.Slack == 0 {
			program.VisitRight = func(w *mega.Worker[int32], row []int32) {
				for _, n := range row {
					w.Tally[0] += float64(n)
				}
			}
			program.Stages = append(program.Stages, mega.VisitRight(), mega.Sync())
			program.Done = func(_ int, _ float64, tallies [][]float64) bool {
				sum := 0.0
				for _, each := range tallies {
					sum += each[0]
				}
				if epochs++; sum != float64(tokens) {
					t.Errorf("%+v: at barrier %d there are %v topics of %d tokens", o, epochs, sum, tokens)
				}
				return false
			}
		}
		s, _, err := mega.Run(t.Context(), program, g, o)
		if err != nil {
			t.Fatal(err)
		}
		ofTopic := make([]int32, p.Topics)
		for w, want := range of {
			sum := int32(0)
			for k, n := range s.Right[w*p.Topics:][:p.Topics] {
				if n < 0 {
					t.Errorf("%+v: word %d has %d tokens of topic %d", o, w, n, k)
				}
				sum += n
				ofTopic[k] += n
			}
			if sum != want {
				t.Errorf("%+v: word %d has %d topics, %d tokens", o, w, sum, want)
			}
		}
		if !slices.Equal(ofTopic, s.Context) {
			t.Errorf("%+v: topics have %v tokens, those of words %v", o, s.Context, ofTopic)
		}
		if o.Slack == 0 && epochs != o.Epochs {
			t.Errorf("%+v: %d barriers", o, epochs)
		}
	}
}

// Workers in step draw the same topics in every run by the same seed, and others by another.
func TestRun_SameBitsBySeed(t *testing.T) {
	r := testseed.Rand(t)
	seed := r.Uint64()
	run := func(seed uint64) []int32 {
		words := rand.New(rand.NewPCG(3, 3))
		g := corpus(20, 30, func(int) (all []uint32) {
			for range 40 {
				all = append(all, uint32(words.IntN(20)))
			}
			return all
		})
		p := Params{Topics: 5, Alpha: 0.1, Beta: 0.01, Seed: seed, Workers: 3}
		s, _, err := mega.Run(t.Context(), Program(p, g), g, mega.Options{Workers: 3, Batches: 2, Epochs: 5})
		if err != nil {
			t.Fatal(err)
		}
		return s.Right
	}
	first := run(seed)
	if !slices.Equal(first, run(seed)) {
		t.Error("another run has other bits")
	}
	if slices.Equal(first, run(seed+1)) {
		t.Error("another seed has the same bits")
	}
}

// Topics that documents were drawn from are found again, each word's own topic having most of it. Gibbs sampling may
// stay where two topics share one, so that one of some starts has to find them all but one.
func TestRun_FindsPlantedTopics(t *testing.T) {
	r := testseed.Rand(t)
	const topics, own, starts = 5, 8, 6
	draw := func(int) (all []uint32) {
		a, b := r.IntN(topics), r.IntN(topics)
		for range 60 {
			z := a
			if r.IntN(3) == 0 {
				z = b
			}
			all = append(all, uint32(z*own+r.IntN(own)))
		}
		return all
	}
	most := 0
	for range starts {
		g := corpus(topics*own, 300, draw)
		p := Params{Topics: topics, Alpha: 0.1, Beta: 0.01, Seed: r.Uint64(), Workers: 2}
		s, _, err := mega.Run(t.Context(), Program(p, g), g, mega.Options{Workers: 2, Epochs: 100})
		if err != nil {
			t.Fatal(err)
		}
		found, phi := 0, make([]float32, topics)
		for planted := range topics {
			mass := make([]float32, topics)
			for w := planted * own; w < (planted+1)*own; w++ {
				p.Phi(s.Right[w*topics:][:topics], s.Context, topics*own, phi)
				for k, x := range phi {
					mass[k] += x
				}
			}
			if slices.Max(mass) > 0.9 {
				found++
			}
		}
		if most = max(most, found); most >= topics-1 {
			return
		}
	}
	t.Errorf("%d of %d topics are found", most, topics)
}

// BenchmarkSweep says how many tokens a second of a processor does, when topics have been drawn some times.
func BenchmarkSweep(b *testing.B) {
	const before = 20
	for _, topics := range []int{50, 1000} {
		b.Run(strconv.Itoa(topics), func(b *testing.B) {
			g, _, tokens := kos(b)
			program, began := Program(Params{Topics: topics, Alpha: 0.1, Beta: 0.01, Workers: 1}, g), 0.0
			o := mega.Options{Epochs: before + b.N, Epoch: func(number int, _ float64) {
				if number == before-1 {
					began = used()
					b.ResetTimer()
				}
			}}
			if _, _, err := mega.Run(b.Context(), program, g, o); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(tokens)*float64(b.N)/(used()-began)/1e6, "Mtokens/s")
		})
	}
}

// used is the seconds of processors that the process has taken.
func used() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
