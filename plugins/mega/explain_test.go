package mega

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// telling is a program whose edges of an odd value change both of their ends, if those travel, in every epoch.
func telling(r *rand.Rand, o Options) *Program[int64, int64, int64] {
	p := &Program[int64, int64, int64]{Name: "telling", Left: Rows{Mirror: 2}, Right: Rows{Shared: 1 + r.IntN(3),
		Master: r.IntN(2), Mirror: r.IntN(3)}, VisitRight: func(*Worker[int64], []int64) {}}
	if o.Cut.Splits() {
		p.Left = Rows{Shared: 1 + r.IntN(2), Mirror: r.IntN(2)}
	}
	p.Exchange = func(_ *Worker[int64], u, v []int64, edge *int64) {
		if *edge%2 != 0 {
			u[0]++
			v[0]++
		}
	}
	p.Stages = [][]Stage{
		{MiniBatch(Exchange(), Sync())},
		{Exchange(), Sync()},
		{MiniBatch(ExchangeOf(0), Sync()), MiniBatch(ExchangeOf(1), Sync())},
		{MiniBatch(Exchange(), Sync()), VisitRight(), Sync()},
	}[r.IntN(4)]
	return p
}

// explained explains a run on the graph, of whose edges it knows only whether they change rows.
func explained(t *testing.T, p *Program[int64, int64, int64], g *Graph[int64], o Options) *Explanation {
	t.Helper()
	odd := make([]bool, len(g.Edges))
	for i, x := range g.Edges {
		odd[i] = x%2 != 0
	}
	e, err := Explain(p, &Graph[bool]{g.Rights, g.Offsets, slices.Clone(g.Targets), odd, g.Sets}, o,
		func(odd *bool) bool { return *odd })
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// drawnRun is a graph and options of a run.
func drawnRun(r *rand.Rand) (*Graph[int64], Options) {
	g := skewed(r, 1+r.IntN(60), 1+r.IntN(40))
	g.Sets = make([]uint8, g.Lefts())
	for u := range g.Sets {
		g.Sets[u] = uint8(r.IntN(3))
	}
	for i := range g.Edges {
		g.Edges[i] = int64(r.IntN(4))
	}
	o := Options{Workers: 1 + r.IntN(6), Epochs: 1 + r.IntN(4), Cut: append(Cuts(), "")[r.IntN(1+len(Cuts()))], Seed: r.Uint64()}
	if r.IntN(2) == 0 {
		o.Batch = 1 + r.IntN(50)
	} else {
		o.Batches = r.IntN(6)
	}
	return g, o
}

// What is explained before a run without slack is what it is seen to do: vertices, mirrors, edges and clocks, and the
// very bytes, worker by worker.
func TestExplain_IsWhatRuns(t *testing.T) {
	r := testseed.Rand(t)
	for range 300 {
		g, o := drawnRun(r)
		p := telling(r, o)
		e := explained(t, p, g, o)
		_, report, err := Run(t.Context(), p, copyOf(g), o)
		if err != nil {
			t.Fatal(err)
		}
		checkExplained(t, o, e, report)
		for k, w := range report.Workers {
			if want := e.Workers[k].Run(o.Epochs); w.Traffic.Pushed != want.Pushed || w.Traffic.Pulled != want.Pulled {
				t.Fatalf("%+v: worker %d exchanges %+v, where %+v was explained", o, k, w.Traffic, want)
			}
		}
	}
}

// checkExplained compares all that is exact whatever the slack.
func checkExplained(t *testing.T, o Options, e *Explanation, r Report) {
	t.Helper()
	if e.Left != r.Left || e.Right != r.Right || e.Clocks*o.Epochs != r.Clocks {
		t.Fatalf("%+v: %+v was explained, and there are %+v, %+v and %d clocks", o, e, r.Left, r.Right, r.Clocks)
	}
	for k, w := range r.Workers {
		if f := e.Workers[k]; f.Left != w.Left || f.Right != w.Right || f.Scanned*uint64(o.Epochs) != w.Edges {
			t.Fatalf("%+v: of worker %d %+v was explained, and it is %+v", o, k, f, w)
		}
	}
}

// With slack, batches that are drawn, or a context, what is explained bounds what is exchanged; all else is exact.
func TestExplain_Bounds(t *testing.T) {
	r := testseed.Rand(t)
	for range 300 {
		g, o := drawnRun(r)
		o.Slack = []int{0, 1, 3, Asynchronous}[r.IntN(4)]
		p := telling(r, o)
		if p.Shuffle = r.IntN(2) == 0; r.IntN(2) == 0 {
			p.Context = Rows{Shared: 2}
			exchange := p.Exchange
			p.Exchange = func(w *Worker[int64], u, v []int64, edge *int64) {
				exchange(w, u, v, edge)
				w.Context[0]++
			}
		}
		e := explained(t, p, g, o)
		_, report, err := Run(t.Context(), p, copyOf(g), o)
		if err != nil {
			t.Fatal(err)
		}
		checkExplained(t, o, e, report)
		for k, w := range report.Workers {
			if s := e.Workers[k].Synchronous; o.Slack == 0 && s != e.Workers[k].Epoch || s.Pulled > e.Workers[k].Epoch.Pulled {
				t.Fatalf("%+v: worker %d exchanges %+v without slack, and else %+v", o, k, s, e.Workers[k].Epoch)
			}
			if most := e.Workers[k].Run(o.Epochs); w.Traffic.Pushed > most.Pushed || w.Traffic.Pulled > most.Pulled {
				t.Fatalf("%+v, shuffled %v: worker %d exchanges %+v, where at most %+v was explained", o, p.Shuffle, k, w.Traffic, most)
			}
		}
	}
}

// No clock pushes more than is explained, and one pushes that much; none pulls more.
func TestExplain_Clock(t *testing.T) {
	r := testseed.Rand(t)
	for range 200 {
		g, o := drawnRun(r)
		p := telling(r, o)
		e := explained(t, p, g, o)
		var course *Course[int64, int64, int64]
		type seen struct {
			clock  int // 1 more than that of which was seen what had been exchanged when it began
			before Traffic
			most   uint64
		}
		all := make([]seen, o.Workers)
		look := func(k, clock int) {
			s, now := &all[k], course.run.workers[k].report.Traffic
			if clocks := uint64(clock + 1 - s.clock); now.Pulled-s.before.Pulled > clocks*e.Workers[k].Clock.Pulled {
				t.Errorf("%+v: worker %d pulls %d in %d clocks, each of which at most %d", o, k, now.Pulled-s.before.Pulled, clocks,
					e.Workers[k].Clock.Pulled)
			}
			s.most = max(s.most, now.Pushed-s.before.Pushed)
			s.clock, s.before = clock+1, now
		}
		exchange := p.Exchange
		p.Exchange = func(w *Worker[int64], u, v []int64, edge *int64) {
			if all[w.Number].clock <= w.Clock {
				look(w.Number, w.Clock)
			}
			exchange(w, u, v, edge)
		}
		var err error
		if course, err = Start(p, copyOf(g), o); err != nil {
			t.Fatal(err)
		}
		if _, err = course.Continue(t.Context()); err != nil {
			t.Fatal(err)
		}
		for k := range all {
			look(k, e.Clocks*o.Epochs)
			if all[k].most != e.Workers[k].Clock.Pushed {
				t.Fatalf("%+v: worker %d pushes at most %d in a clock, where %d was explained", o, k, all[k].most,
					e.Workers[k].Clock.Pushed)
			}
		}
	}
}

// What is explained of memory is what slices have, and what is kept takes as many bytes.
func TestExplain_MemoryAndKept(t *testing.T) {
	r := testseed.Rand(t)
	saved := 0
	for range 200 {
		g, o := drawnRun(r)
		o.Pause = func() bool { return true }
		p := telling(r, o)
		if p.Shuffle = r.IntN(2) == 0; !o.Cut.Splits() && r.IntN(2) == 0 {
			stages := p.Stages
			p = keeping(p.Shuffle, 100)
			p.VisitRight, p.Stages = func(*Worker[int64], []int64) {}, stages
		}
		e := explained(t, p, g, o)
		c, err := Start(p, copyOf(g), o)
		if err != nil {
			t.Fatal(err)
		}
		done, err := c.Continue(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var masters, explainedMasters uint64
		for _, m := range []*masters0{c.run.right, c.run.context, c.run.lefts} {
			if m != nil {
				masters += 8*uint64(len(m.values)) + 8*uint64(len(m.version)) + 2*uint64(len(m.owner)) + uint64(len(m.travels))
			}
		}
		for k, w := range c.run.workers {
			m := e.Workers[k].Memory
			explainedMasters += m.Masters
			edges := 12*uint64(w.part.to-w.part.from) + 8*uint64(len(w.part.offsets)-1) + 4*uint64(len(w.part.lefts)) +
				8*uint64(len(w.order))
			if !p.Shuffle && w.order != nil || edges != m.Edges {
				t.Fatalf("%+v: worker %d has %d bytes of edges, where %d were explained", o, k, edges, m.Edges)
			}
			mirrors, sync := uint64(0), uint64(0)
			for _, r := range []*mirrors0{w.mirrors, w.context, w.lefts} {
				if r == nil {
					continue
				}
				mirrors += 8*uint64(len(r.values)+len(r.pulled)+len(r.seen)) + 4*uint64(len(r.stamp)+len(r.ids))
				sync += 4 * uint64(cap(r.dirty)+cap(r.every))
				for o := range r.byEnd {
					mirrors += 4 * uint64(len(r.byEnd[o]))
					sync += 4 * uint64(cap(r.sent[o]))
				}
			}
			if mirrors != m.Mirrors || sync > m.Sync {
				t.Fatalf("%+v: worker %d has %d bytes of mirrors and %d to tell, where %+v were explained", o, k, mirrors, sync, m)
			}
		}
		if masters != explainedMasters {
			t.Fatalf("%+v: masters take %d bytes, where %d were explained", o, masters, explainedMasters)
		}
		if done {
			continue
		}
		saved++
		room := make([]byte, e.Kept)
		if n, err := c.Save(room); err != nil || uint64(n) != e.Kept {
			t.Fatalf("%+v: %d bytes are kept, where %d were explained: %v", o, n, e.Kept, err)
		}
	}
	if saved == 0 {
		t.Error("nothing was kept")
	}
}

type (
	masters0 = masters[int64]
	mirrors0 = mirrors[int64]
)

// How many epochs may follow one that is the last is what slack and clocks make it, and what cannot run is refused.
func TestExplain_BeyondAndRefused(t *testing.T) {
	r := testseed.Rand(t)
	for range 50 {
		g, o := drawnRun(r)
		o.Epochs, o.Slack = 40, r.IntN(5)
		p := telling(r, o)
		last := 1 + r.IntN(5)
		p.Done = func(epoch int, _ float64, _ [][]float64) bool { return epoch+1 == last }
		e := explained(t, p, g, o)
		_, report, err := Run(t.Context(), p, copyOf(g), o)
		if err != nil || len(report.Losses) != last+e.Beyond {
			t.Fatalf("%+v: after epoch %d there are %d, where %d were explained: %v", o, last, len(report.Losses)-last, e.Beyond, err)
		}
		var refused *Error
		o.Slack = -2
		if _, err := Explain(p, copyOf(g), o, nil); !errors.As(err, &refused) {
			t.Fatalf("slack -2: %v", err)
		}
	}
}
