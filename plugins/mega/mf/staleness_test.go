package mf

import (
	"math/rand/v2"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/penstock-db/penstock/plugins/mega"
)

// untilLoss runs a factorization of planted ratings in time that passes only while workers sleep, as a cluster would
// have them. It says when an epoch has come to a loss of at most goal, or the last to any, and to which.
func untilLoss(t *testing.T, o mega.Options, goal float64) (took time.Duration, loss float64) {
	t.Helper()
	const users, items, each, epochs, longest = 400, 80, 40, 30, 60
	r := rand.New(rand.NewPCG(7, 7))
	g := &mega.Graph[Rating]{Rights: items, Offsets: []int64{0}}
	p := Params{Rank: 4, Epochs: 10 * epochs, Rate: 0.1, L2: 0.1, Mean: 3, Seed: 1, Users: make([]uint32, users),
		Items: make([]uint32, items)}
	factors := make([]float64, 2*(users+items))
	for i := range factors {
		factors[i] = r.NormFloat64()
	}
	for u := range users {
		for _, v := range r.Perm(items)[:each] {
			a, b := factors[2*u:], factors[2*(users+v):]
			g.Targets = append(g.Targets, uint32(v))
			g.Edges = append(g.Edges, Of(float32(3+a[0]*b[0]+a[1]*b[1]+0.3*r.NormFloat64()), false))
			p.Items[v]++
		}
		p.Users[u] = each
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	if o.Epochs = epochs; goal > 0 {
		o.Epochs = longest
	}
	synctest.Test(t, func(t *testing.T) {
		began, there := time.Now(), false
		o.Epoch = func(_ int, l float64) {
			if !there {
				took, loss, there = time.Since(began), l, goal > 0 && l <= goal
			}
		}
		if _, _, err := mega.Run(t.Context(), Program(p), g, o); err != nil {
			t.Fatal(err)
		}
	})
	return took, loss
}

// TestProgram_SlackPays: of 4 workers one, drawn anew in each clock, is 4 times as slow. With a slack of 2 clocks they
// come to the loss that 30 epochs without slack come to in at most 0.6 of its time. With PENSTOCK_STALENESS_SVG=FILE
// all that it measures is drawn, of more batches and slacks.
func TestProgram_SlackPays(t *testing.T) {
	file := os.Getenv("PENSTOCK_STALENESS_SVG")
	p := plot{stragglers: []float64{1, 2, 4}, batches: []int{1, 4, 16}, slacks: []int{1, 2, 3, 4}}
	if file != "" {
		p.batches, p.slacks = append(p.batches, 64), append(p.slacks, 8)
	}
	for _, straggler := range p.stragglers {
		for _, batches := range p.batches {
			o := mega.Options{Workers: 4, Batches: batches, Seed: 3,
				Cluster: mega.Cluster{Edge: time.Microsecond, Straggler: straggler}}
			want, goal := untilLoss(t, o, 0)
			line := []float64{1}
			for _, o.Slack = range p.slacks {
				took, loss := untilLoss(t, o, goal)
				share := took.Seconds() / want.Seconds()
				line = append(line, share)
				t.Logf("straggler %g, %d batches an epoch, slack %d: %.2f of the time", straggler, batches, o.Slack, share)
				if loss > goal {
					t.Errorf("it has come to a loss of %v, not to %v", loss, goal)
				}
				if straggler == 4 && batches == 16 && o.Slack == 2 && share > 0.6 {
					t.Errorf("slack 2 takes %.2f of the time without slack, more than 0.6", share)
				}
			}
			p.shares = append(p.shares, line)
		}
	}
	if file != "" {
		if err := os.WriteFile(file, []byte(p.svg()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
