package rates

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/testseed"
)

// anyWork draws sizes as those of the experiments are.
func anyWork(rng *rand.Rand) core.Work {
	n := uint64(1) << (10 + rng.IntN(6))
	return core.Work{Vertices: n, Linked: n - rng.Uint64N(n/2), Edges: n << rng.IntN(10),
		Rounds: float64(1 + rng.IntN(20)), Sources: 1 + rng.Uint64N(64), Warm: rng.IntN(2) == 0}
}

// anyCosts draws costs some of which are nothing.
func anyCosts(rng *rand.Rand) core.Costs {
	cost := func(scale float64) float64 { return scale * rng.Float64() * float64(rng.IntN(3)) }
	return core.Costs{Fixed: 1e-4 + cost(1e-2), Vertex: cost(1e-7), Edge: cost(1e-9), Cell: cost(1e-10)}
}

// taken is what a device with these rates takes for all sources at once.
func taken(r core.Rates, w core.Work) Sample {
	s := Sample{Work: w, Peak: 1000 + 8*w.Vertices*w.Sources + w.Linked*w.Linked}
	s.Compute = w.Rounds * (r.Step.Of(w) + float64(w.Sources-1)*r.Lane.Of(w))
	if s.Load = r.Again.Of(w); !w.Warm {
		s.Load, s.Launch = r.Load.Of(w), r.Launch
	}
	return s
}

// A device whose times go by rates is foretold by them, of work that it has never had.
func TestRates_ForetellWhatGoesByRates(t *testing.T) {
	rng := testseed.Rand(t)
	for range 20 {
		truth := core.Rates{Launch: rng.Float64(), Load: anyCosts(rng), Again: anyCosts(rng), Step: anyCosts(rng),
			Lane: anyCosts(rng), Lanes: 64}
		b := Open("")
		var w core.Work
		for range most {
			w = anyWork(rng)
			b.Add("npu", "bfs", 64, taken(truth, w))
		}
		w.Edges, w.Rounds, w.Sources = w.Edges+w.Edges/3, w.Rounds+3, 1+w.Sources/2
		got, known := b.Forecast("npu", "bfs", w)
		want := truth.Seconds(w)
		if seconds := got.Seconds(w); !known || math.Abs(seconds-want) > 0.1*want {
			t.Errorf("%+v: %g seconds, not %g\nrates %+v\nnot   %+v", w, seconds, want, got, truth)
		}
		peak := taken(truth, w).Peak
		if math.Abs(float64(got.Bytes)-float64(peak)) > 0.1*float64(peak) {
			t.Errorf("%+v: %d bytes, not %d", w, got.Bytes, peak)
		}
	}
}

// BenchmarkRates is what every choice between two devices takes, twice.
func BenchmarkRates(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	truth := core.Rates{Launch: rng.Float64(), Load: anyCosts(rng), Again: anyCosts(rng), Step: anyCosts(rng),
		Lane: anyCosts(rng), Lanes: 64}
	book := Open("")
	for range most {
		book.Add("npu", "bfs", 64, taken(truth, anyWork(rng)))
	}
	for b.Loop() {
		w := anyWork(rng)
		book.Forecast("npu", "bfs", w)
	}
}

// What has been measured is foretold as it was, also where times go by nothing that costs know of.
func TestRates_ForetellWhatWasMeasured(t *testing.T) {
	rng := testseed.Rand(t)
	b := Open("")
	var all []Sample
	for scale := range uint64(6) {
		for factor := range uint64(8) {
			w := core.Work{Vertices: 1024 << scale, Linked: 1024 << scale, Edges: (1024 << scale) << factor, Rounds: 5,
				Sources: 1, Warm: true}
			all = append(all, Sample{Work: w, Load: 1e-4 * (1 + rng.Float64()),
				Compute: 1e-5 * math.Pow(float64(w.Edges), 0.6) * (1 + 2*rng.Float64())})
			b.Add("cpu", "bfs", 0, all[len(all)-1])
		}
	}
	for _, s := range all {
		f, _ := b.Forecast("cpu", "bfs", s.Work)
		if got, want := f.Seconds(s.Work), s.Load+s.Compute; math.Abs(got-want) > 0.1*want || f.Rounds < 4.9 ||
			f.Rounds > 5.1 {
			t.Errorf("%+v: %g seconds in %g rounds, not %g", s.Work, got, f.Rounds, want)
		}
	}
}

// Graphs of the same size take what each has taken before.
func TestRates_TellGraphsApart(t *testing.T) {
	b := Open("")
	for range 3 {
		for graph := range uint64(4) {
			w := core.Work{Graph: graph, Vertices: 1024, Linked: 1024, Edges: 1 << 20, Rounds: 5, Sources: 1, Warm: true}
			b.Add("npu", "bfs", 0, Sample{Work: w, Load: 1e-3, Compute: float64(1 + 3*graph)})
		}
	}
	for graph := range uint64(4) {
		w := core.Work{Graph: graph, Vertices: 1024, Linked: 1024, Edges: 1 << 20, Rounds: 5, Sources: 1, Warm: true}
		f, _ := b.Forecast("npu", "bfs", w)
		if got, want := f.Seconds(w), float64(1+3*graph); math.Abs(got-want) > 0.02*want {
			t.Errorf("graph %d: %g seconds, not %g", graph, got, want)
		}
	}
}

// Of what is not known nothing is foretold, and of late counts more than before.
func TestBook_LearnsAndUnlearns(t *testing.T) {
	b, w := Open(""), core.Work{Vertices: 100, Edges: 1000, Linked: 100, Rounds: 1, Sources: 1, Warm: true}
	if _, known := b.Forecast("cpu", "bfs", w); known || b.Knows("cpu", "bfs") {
		t.Error("rates out of nothing")
	}
	b.Refuse("npu", "bfs", "too hard")
	for _, seconds := range append([]float64{1}, slices.Repeat([]float64{3}, 2*lasts)...) {
		b.Add("npu", "bfs", 0, Sample{Work: w, Load: seconds, Compute: seconds})
	}
	f, _ := b.Forecast("npu", "bfs", w)
	if got := f.Seconds(w); math.Abs(got-6) > 0.1 || b.Refused("npu", "bfs") != "" ||
		len(b.pages["npu"].Kinds["bfs"]) != 1 {
		t.Errorf("%g seconds, refused %q, %d samples", got, b.Refused("npu", "bfs"), len(b.pages["npu"].Kinds["bfs"]))
	}
	for i := range uint64(3 * most) {
		w.Edges = i
		b.Add("npu", "bfs", 0, Sample{Work: w, Load: 1, Compute: 1})
	}
	if n := len(b.pages["npu"].Kinds["bfs"]); n != most {
		t.Errorf("%d samples are kept", n)
	}
}

// One run that took much longer is an accident; after two the next forecast is what they took.
func TestBook_BelievesTwoInARow(t *testing.T) {
	b, w := Open(""), core.Work{Vertices: 100, Edges: 1000, Linked: 100, Rounds: 1, Sources: 1, Warm: true}
	for i, c := range []struct{ took, least, most float64 }{{1, 0.99, 1.01}, {20, 1, 2.2}, {1, 0.99, 2}, {1.1, 0.99, 2},
		{20, 1, 3}, {20, 19.9, 20.1}, {1, 9, 20}, {1, 0.99, 1.01}} {
		b.Add("npu", "bfs", 0, Sample{Work: w, Load: c.took / 2, Compute: c.took / 2})
		f, _ := b.Forecast("npu", "bfs", w)
		if got := f.Seconds(w); got < c.least || got > c.most {
			t.Errorf("after run %d of %g seconds: %g", i, c.took, got)
		}
	}
}

// A book is on file as it was; a file that is none is an empty book.
func TestBook_IsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plugins", "rates.json")
	b, w := Open(file), core.Work{Vertices: 100, Edges: 1000, Linked: 100, Rounds: 3, Sources: 2}
	b.Add("npu", "bfs", 8, Sample{Work: w, Launch: 0.5, Load: 1, Compute: 2, Peak: 10})
	b.Refuse("npu", "wcc", "too hard")
	if err := b.Save(time.Hour); err != nil || Open(file).Knows("npu", "bfs") {
		t.Errorf("%v, or it was saved too soon", err)
	}
	if err := b.Save(0); err != nil {
		t.Fatal(err)
	}
	again := Open(file)
	want, _ := b.Forecast("npu", "bfs", w)
	if got, known := again.Forecast("npu", "bfs", w); !known || got != want || got.Rounds != 3 ||
		again.Refused("npu", "wcc") != "too hard" {
		t.Errorf("%+v; expected %+v", got, want)
	}
	for _, text := range []string{"", "{", `{"version":2}`, `{"version":1,"devices":null}`, `[]`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if b := Open(file); b.Knows("npu", "bfs") || b.page("npu") == nil {
			t.Errorf("%q is read", text)
		}
	}
}
