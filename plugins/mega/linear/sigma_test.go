package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega"
)

// planted are samples with ten values each, of a class by weights that are drawn; features follow Zipf's law.
func planted() *mega.Graph[float32] {
	const samples, features, values = 4000, 300, 10
	r := rand.New(rand.NewPCG(17, 0))
	zipf := rand.NewZipf(r, 1.1, 10, features-1)
	weights := make([]float64, features)
	for j := range weights {
		weights[j] = r.NormFloat64()
	}
	g := &mega.Graph[float32]{Rights: features, Offsets: []int64{0}}
	for range samples {
		margin, row := 0.0, make([]float64, values)
		for k := range row {
			j := zipf.Uint64()
			row[k] = r.NormFloat64() / math.Sqrt(values)
			g.Targets = append(g.Targets, uint32(j))
			margin += weights[j] * row[k]
		}
		y := 1.0
		if r.Float64() > sigmoid(margin) {
			y = -1
		}
		for _, x := range row {
			g.Edges = append(g.Edges, float32(y*x))
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	return g
}

// course is a run over planted samples, by so many workers.
func course(t *testing.T, workers int, more func(*mega.Options)) *mega.Course[float64, float64, float32] {
	t.Helper()
	g := planted()
	p := Params{L2: 0.05, Tolerance: 1e-4, Workers: workers}
	o := mega.Options{Workers: workers, Epochs: 1000, Batches: p.Blocks(0, len(g.Targets), g.Rights), Seed: 1}
	if more != nil {
		more(&o)
	}
	c, err := mega.Start(Dual(p), g, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestDual_EpochsByWorkers: sixteen workers come to the goal in three times the epochs of one. With σ' as large as is
// safe they take five times as many as so.
func TestDual_EpochsByWorkers(t *testing.T) {
	for workers, most := range map[int]int{1: 40, 8: 100, 16: 150} {
		c := course(t, workers, nil)
		if _, err := c.Continue(t.Context()); err != nil {
			t.Fatal(err)
		}
		report := c.Report()
		epochs := len(report.Losses)
		t.Logf("%d workers: %d epochs", workers, epochs)
		if !report.Done || epochs > most {
			t.Errorf("%d workers: done is %v after %d epochs, want it within %d", workers, report.Done, epochs, most)
		}
	}
}

// TestDual_GoesOn: a run that is kept after any epoch and gone on with by another, which knows nothing else, comes to
// the same bits, however σ' has moved.
func TestDual_GoesOn(t *testing.T) {
	const workers = 4
	r := testseed.Rand(t)
	whole := course(t, workers, nil)
	if _, err := whole.Continue(t.Context()); err != nil {
		t.Fatal(err)
	}
	want, kept := whole.State(), make([]byte, 1<<22)
	pause := func(o *mega.Options) { o.Pause = func() bool { return r.IntN(4) == 0 } }
	c, restored := course(t, workers, pause), 0
	for {
		done, err := c.Continue(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if done {
			break
		}
		n, err := c.Save(kept)
		if err != nil {
			t.Fatal(err)
		}
		c = course(t, workers, pause)
		if err := c.Restore(slices.Clone(kept[:n])); err != nil {
			t.Fatal(err)
		}
		restored++
	}
	if got := c.State(); !slices.Equal(got.Left, want.Left) || !slices.Equal(got.Right, want.Right) {
		t.Errorf("restored %d times, it has come to other bits", restored)
	}
}

// TestSigma_Judge: σ' shrinks while the dual rises, grows where it falls, never shrinks below that again, and is never
// larger than is safe.
func TestSigma_Judge(t *testing.T) {
	s := newSigma(Params{Workers: 8})
	after := func(duals ...float64) float64 {
		for _, dual := range duals {
			s.judge(dual)
		}
		return s.get()
	}
	shrunk := after(1, 2, 3)
	if !(shrunk > 1 && shrunk < 8) {
		t.Errorf("after three epochs that raise the dual σ' is %v, want it smaller than 8", shrunk)
	}
	grown := after(2)
	if grown <= shrunk {
		t.Errorf("σ' is %v after the dual has fallen, and was %v", grown, shrunk)
	}
	if still := after(3, 4, 5); still != grown {
		t.Errorf("σ' is %v again, below which it failed: want %v", still, grown)
	}
	if most := after(4, 3, 2, 1, 0, -1, -2, -3, -4); most != 8 {
		t.Errorf("σ' is %v where the dual only falls, want 8", most)
	}
	s = newSigma(Params{Workers: 8})
	for i := range 100 {
		s.judge(float64(i))
	}
	if s.get() != 1 {
		t.Errorf("σ' is %v where the dual only rises, want 1", s.get())
	}
}

// TestParams_Blocks: a block goes along about as many edges as a worker may have mirrors.
func TestParams_Blocks(t *testing.T) {
	for _, c := range []struct{ workers, asked, edges, rights, want int }{
		{1, 7, 1000, 10, 1}, {4, 7, 1000, 10, 7}, {4, 0, 2000, 10, 50}, {4, 0, 0, 0, 20}, {4, 0, 1 << 20, 2, 100},
	} {
		if got := (Params{Workers: c.workers}).Blocks(c.asked, c.edges, c.rights); got != c.want {
			t.Errorf("%+v: %d blocks", c, got)
		}
	}
}
