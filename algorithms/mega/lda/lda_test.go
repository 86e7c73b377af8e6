package lda

import (
	"errors"
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms/mega"
	"github.com/penstock-db/penstock/algorithms/mega/megatest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// On blog entries of KOS, each tenth of which is held out, plain Gibbs sampling comes to 1804 after 50 sweeps.
func TestPublished(t *testing.T) {
	if !long.Tests() {
		t.Skip("takes ten seconds: set PENSTOCK_LONG=1")
	}
	learn := Corpus{Words: 6906, Documents: make([][]uint32, 3430)}
	megatest.Lines(t, "uci-kos/docword.kos.txt.gz", func(f []string) {
		if len(f) != 3 {
			return
		}
		word := uint32(megatest.Number(t, f[1])) - 1
		if err := learn.Append(int(megatest.Number(t, f[0]))-1, word, megatest.Number(t, f[2])); err != nil {
			t.Fatal(err)
		}
	})
	all := learn.Documents
	learn.Documents = nil
	var held [][]uint32
	for d, words := range all {
		if d%10 == 9 {
			held = append(held, words)
		} else {
			learn.Documents = append(learn.Documents, words)
		}
	}
	s, err := New(learn, Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		s.Sweep()
	}
	if is := Perplexity(s.Phi(), held, s.Params, 50); len(held) != 343 || math.Abs(is-1804) > 0.03*1804 {
		t.Errorf("%v of %d documents", is, len(held))
	} else {
		t.Log(is)
	}
}

// Of a corpus of three tokens every assignment of topics is drawn as often as its joint probability says:
// chi-square.
func TestPosterior(t *testing.T) {
	p := Params{Topics: 2, Alpha: 0.5, Beta: 0.3, Seed: testseed.Rand(t).Uint64()}
	c := Corpus{Words: 2, Documents: [][]uint32{{0, 1}, {0}}}
	s, err := New(c, p)
	if err != nil {
		t.Fatal(err)
	}
	const samples, apart = 20000, 5
	var seen [8]float64
	for range samples {
		for range apart {
			s.Sweep()
		}
		seen[s.topics[0][0]|s.topics[0][1]<<1|s.topics[1][0]<<2]++
	}
	megatest.Posterior(t, p.Alpha, p.Beta, seen)
}

// Topics that documents were drawn from are found again: each word's own topic has most of it.
func TestRecovered(t *testing.T) {
	r := testseed.Rand(t)
	const topics, own = 5, 8
	c := Corpus{Words: topics * own}
	for range 300 {
		a, b := r.IntN(topics), r.IntN(topics)
		var words []uint32
		for range 60 {
			z := a
			if r.IntN(3) == 0 {
				z = b
			}
			words = append(words, uint32(z*own+r.IntN(own)))
		}
		c.Documents = append(c.Documents, words)
	}
	s, err := New(c, Params{Topics: topics, Alpha: 0.1, Beta: 0.01, Seed: r.Uint64()})
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		s.Sweep()
	}
	phi, found := s.Phi(), 0
	for planted := range topics {
		best := 0.0
		for z := range topics {
			mass := 0.0
			for w := planted * own; w < (planted+1)*own; w++ {
				mass += phi[w*topics+z]
			}
			best = math.Max(best, mass)
		}
		if best > 0.9 {
			found++
		}
	}
	if found < topics-1 { // Gibbs may stay where two topics share one
		t.Errorf("%d of %d topics are found", found, topics)
	}
}

func TestRefusals(t *testing.T) {
	c := Corpus{Words: 2, Documents: make([][]uint32, 1)}
	for _, count := range []float64{-1, 0.5, math.NaN(), math.Inf(1)} {
		var refused *mega.DataError
		if err := c.Append(0, 0, count); !errors.As(err, &refused) {
			t.Errorf("count %v: %v", count, err)
		}
	}
	var empty *mega.DataError
	if _, err := New(c, Defaults()); !errors.As(err, &empty) {
		t.Errorf("no tokens: %v", err)
	}
	c.Documents[0] = []uint32{1}
	for _, p := range []Params{{0, 1, 1, 1}, {2, 0, 1, 1}, {2, 1, math.NaN(), 1}} {
		var refused *mega.ParamError
		if _, err := New(c, p); !errors.As(err, &refused) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
