package host

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/store"
)

// rated is a bipartite graph of a few popular vertices on the right, with several edges between some pairs; vertices
// are of two groups.
func rated(r *rand.Rand) *sample {
	lefts, rights := 8+r.IntN(40), 4+r.IntN(20)
	s := random(r, lefts+rights, 0, true, false, false)
	s.grouped, s.two = true, true
	for range 3 * (lefts + rights) {
		u, v := r.IntN(lefts), lefts+min(r.IntN(rights), r.IntN(rights))
		s.edges = append(s.edges, algorithms.Edge{Src: uint32(u), Dst: uint32(v),
			Weights: map[string]float64{"weight": 1 + 4*r.Float64(), "toll": float64(1 + r.IntN(3))}})
	}
	return s
}

// explainable are all programs, each with options that are drawn.
func explainable(r *rand.Rand) map[string]Learning {
	rank := 1 + r.IntN(5)
	factors := func(name string, more func(*FactorizeRequest)) *FactorizeRequest {
		f := DefaultFactorization(name)
		f.Label, f.Rank, f.Batch = "weight", rank, r.IntN(20)
		more(f)
		return f
	}
	mf := factors("mf", func(f *FactorizeRequest) { f.L2, f.Split = 1, "0.7,0.1,0.2" })
	mf.Partition = string(mega.Cuts()[r.IntN(len(mega.Cuts()))])
	dual, primal, topics := DefaultRegression("lr"), DefaultRegression("blockpg"), DefaultTopics()
	for _, each := range []*RegressRequest{dual, primal} {
		each.Label, each.Value, each.Blocks = group, "weight", r.IntN(5)
	}
	dual.L2, primal.L1 = []float64{100, 1e-3}[r.IntN(2)], 0.1 // with little penalty lr goes along features
	topics.Topics, topics.Count, topics.Batch = 2+r.IntN(5), "toll", r.IntN(20)
	return map[string]Learning{"mf": mf, "adapting": factors("mf", func(*FactorizeRequest) {}),
		"als":      factors("als", func(*FactorizeRequest) {}),
		"implicit": factors("als", func(f *FactorizeRequest) { f.Implicit = true }),
		"lr":       dual, "blockpg": primal, "lda": topics}
}

// Whatever is learned from whatever graph, what is explained beforehand is what workers are counted to do: mirrors,
// edges and clocks. What travels, and what the device takes, is no more than was explained; bytes that travel are just
// those where a program changes all rows that it may.
func TestLearning_ExplainedIsCounted(t *testing.T) {
	r := testseed.Rand(t)
	rounds := 2
	if long.Tests() {
		rounds = 30
	}
	for range rounds {
		snap := rated(r).stored(t, []int{0, 400}[r.IntN(2)])
		e, all := NewEngine(time.Hour), explainable(r)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			l := all[name]
			o := l.Options()
			o.Workers, o.Epochs, o.Seed = 1+r.IntN(4), 1+r.IntN(3), r.Uint64()
			if o.Device = "cpu"; name != "lr" && name != "blockpg" {
				o.Slack = []int{0, 0, 2, mega.Asynchronous}[r.IntN(4)]
			}
			plan, err := l.Explain(t.Context(), snap)
			if err != nil {
				t.Fatalf("%s: %+v: %v", name, o, err)
			}
			got, err := l.Learn(t.Context(), e, snap, TrainEvents{})
			if err != nil {
				t.Fatalf("%s: %+v: %v", name, o, err)
			}
			checkPlan(t, name, *o, plan, got.Report)
		}
		e.Close()
	}
}

func checkPlan(t *testing.T, name string, o MegaOptions, p *LearningPlan, r TrainReport) {
	t.Helper()
	epochs, l := uint64(len(r.Epochs)), r.Learner
	if p.Left.Replication != l.LeftReplication || p.Right.Replication != l.Replication ||
		len(p.Workers) != len(l.Workers) {
		t.Fatalf("%s, %+v: %d workers with %v and %v mirrors a vertex were explained, and there are %d with %v and %v", name, o,
			len(p.Workers), p.Left.Replication, p.Right.Replication, len(l.Workers), l.LeftReplication, l.Replication)
	}
	for k, w := range l.Workers {
		f := p.Workers[k]
		if w.Clocks != epochs*uint64(p.Clocks) || w.Edges != epochs*f.Scanned || w.Masters != uint64(f.Masters) ||
			w.Mirrors != uint64(f.Mirrors) || w.LeftMasters != uint64(f.LeftMasters) || w.LeftMirrors != uint64(f.LeftMirrors) {
			t.Fatalf("%s, %+v: of worker %d %+v was explained, with %d clocks an epoch, and in %d epochs it was %+v", name, o, k, f,
				p.Clocks, epochs, w)
		}
		// later epochs of als do not change the rows of vertices that have held-out ratings alone
		exactly := o.Slack == 0 && (name == "mf" || name == "als" && epochs == 1) && epochs == uint64(p.Epochs)
		if pushed, pulled := epochs*f.Epoch.Pushed, f.Begin+epochs*f.Epoch.Pulled; w.Pushed > pushed || w.Pulled > pulled ||
			exactly && (PlanTraffic{w.Pushed, w.Pulled}) != f.Run {
			t.Fatalf("%s, %+v: worker %d exchanged %d and %d bytes in %d epochs, where %+v was explained", name, o, k, w.Pushed,
				w.Pulled, epochs, f)
		}
	}
	if p.DeviceMemory < r.Peak || p.WorkerMemory > p.DeviceMemory {
		t.Fatalf("%s, %+v: %d bytes of the device were explained, of workers %d, and it took %d", name, o, p.DeviceMemory,
			p.WorkerMemory, r.Peak)
	}
}

// What cannot be learned cannot be explained either, for the same reason.
func TestLearning_ExplainRefuses(t *testing.T) {
	s := rated(testseed.Rand(t))
	snap := s.stored(t, 0)
	s.edges = append(s.edges, algorithms.Edge{Src: s.edges[0].Dst, Dst: s.edges[0].Src,
		Weights: map[string]float64{"weight": 1, "toll": 1}})
	loop := s.stored(t, 0)
	for _, c := range []struct {
		snap *store.Snapshot
		set  func(*FactorizeRequest)
	}{
		{snap: snap, set: func(f *FactorizeRequest) { f.Rank = 0 }},
		{snap: snap, set: func(f *FactorizeRequest) { f.Label = "stars" }},
		{snap: snap, set: func(f *FactorizeRequest) { f.Split = "0,1,0" }},
		{snap: snap, set: func(f *FactorizeRequest) { f.Workers = -1 }},
		{snap: snap, set: func(f *FactorizeRequest) { f.DeviceMemory = 1000 }},
		{snap: snap, set: func(f *FactorizeRequest) { f.Name, f.Partition = "als", "random" }},
		{snap: loop, set: func(*FactorizeRequest) {}},
	} {
		f := DefaultFactorization("mf")
		f.Label = "weight"
		c.set(f)
		e := NewEngine(0)
		_, learning := f.Learn(t.Context(), e, c.snap, TrainEvents{})
		_, explaining := f.Explain(t.Context(), c.snap)
		e.Close()
		if learning == nil || explaining == nil {
			t.Errorf("%+v: learning says %v, explaining %v", f, learning, explaining)
			continue
		}
		var a, b *RequestError
		if errors.As(learning, &a) && (!errors.As(explaining, &b) || a.Reason != b.Reason) {
			t.Errorf("learning says %q, explaining %q", learning, explaining)
		}
	}
}
