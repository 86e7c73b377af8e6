package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	oracle "github.com/penstock-db/penstock/algorithms/mega/linear"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega"
)

// problem is samples and features as the definition has them, by feature, and by sample.
type problem struct {
	oracle.Samples
	features, samples *mega.Graph[float32]
}

func drawn(r *rand.Rand) problem {
	n, features := 5+r.IntN(100), 1+r.IntN(12)
	s := oracle.Samples{Features: features, Offsets: []int{0}}
	for i := range n {
		y := float64(1 - 2*(i%2))
		s.Labels = append(s.Labels, y)
		for j := range features {
			if r.IntN(3) > 0 {
				continue
			}
			x := float32(1)
			if j%2 == 1 {
				x = float32(r.NormFloat64())
			}
			s.Index, s.Values = append(s.Index, uint32(j)), append(s.Values, float64(x))
		}
		s.Offsets = append(s.Offsets, len(s.Index))
	}
	return problemOf(s)
}

// problemOf has the graphs of samples.
func problemOf(s oracle.Samples) problem {
	n, features := len(s.Labels), s.Features
	lists, values := make([][]uint32, features), make([][]float32, features)
	for i, y := range s.Labels {
		for k := s.Offsets[i]; k < s.Offsets[i+1]; k++ {
			j := s.Index[k]
			lists[j], values[j] = append(lists[j], uint32(i)), append(values[j], float32(y*s.Values[k]))
		}
	}
	samples := &mega.Graph[float32]{Rights: features, Offsets: []int64{0}}
	for i, y := range s.Labels {
		for _, x := range s.Values[s.Offsets[i]:s.Offsets[i+1]] {
			samples.Edges = append(samples.Edges, float32(y*x))
		}
		samples.Offsets = append(samples.Offsets, int64(len(samples.Edges)))
	}
	samples.Targets = append([]uint32{}, s.Index...)
	g := &mega.Graph[float32]{Rights: n, Offsets: []int64{0}}
	for j := range features {
		g.Targets, g.Edges = append(g.Targets, lists[j]...), append(g.Edges, values[j]...)
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	return problem{s, g, samples}
}

// TestRun_AsTheOracle: whatever the penalty, the workers and the slack, a run ends by itself when it is as near the
// best as the tolerance says, but for few; and the least objective is never below what the dual says.
func TestRun_AsTheOracle(t *testing.T) {
	r := testseed.Rand(t)
	cases := 100
	if long.Tests() {
		cases = 1000
	}
	ended, far := 0, 0
	for range cases {
		s := drawn(r)
		if len(s.Index) == 0 {
			continue
		}
		penalty := oracle.Defaults()
		solve := oracle.Newton
		if penalty.L2 = 0.1 + r.Float64(); r.IntN(2) == 0 {
			penalty.L1, penalty.L2, solve = 0.1+3*r.Float64(), 0, oracle.Coordinates
		}
		best, err := solve(s.Samples, penalty)
		if err != nil {
			t.Fatal(err)
		}
		want := s.Objective(best, penalty.L1, penalty.L2)
		o := mega.Options{Workers: 1 + r.IntN(4), Slack: r.IntN(4), Epochs: 20000, Batch: 1 + r.IntN(40)}
		p := Params{L1: penalty.L1, L2: penalty.L2, Workers: o.Workers, Slack: o.Slack,
			Tolerance: math.Pow(10, -1-4*r.Float64())}
		dual := p.L1 == 0 && r.IntN(2) == 0
		got := s.run(t, p, o, dual)
		if got.least > want*(1+1e-6) || got.objective < want*(1-1e-6) {
			t.Errorf("%+v: %v, at least %v; want %v", p, got.objective, got.least, want)
		}
		if got.objective > want*(1+10*p.Tolerance) || !dual && got.remaining > p.Tolerance+1e-12 {
			t.Errorf("%+v: %v, at most %v above the least, as a share; want %v", p, got.objective, got.remaining, want)
		}
		if ended++; got.remaining > p.Tolerance+1e-9 {
			far++
		}
		off := 1e-6
		if dual && p.Workers == 1 { // of what samples have met on their way
			off = 2 * p.Tolerance
		}
		if o.Slack == 0 && math.Abs(got.told-got.reached) > off*want {
			t.Errorf("%+v: it told of %v; the objective was %v", p, got.told, got.reached)
		}
	}
	if far*20 > ended {
		t.Errorf("%d of %d runs ended too far from the best", far, ended)
	}
}

// TestPrimal_ToldApart: samples that can be told apart without an error, by attributes that depend on each other, have
// objectives far below that at 0, near which all slopes are small; a run ends near the least of these
// as well.
func TestPrimal_ToldApart(t *testing.T) {
	r := testseed.Rand(t)
	const tolerance, samples, attributes, kinds = 3e-4, 2000, 20, 6
	for range 5 {
		s := oracle.Samples{Features: attributes * kinds, Offsets: []int{0}}
		for range samples {
			hidden := r.IntN(kinds)
			s.Labels = append(s.Labels, float64(1-2*(hidden%2)))
			for a := range attributes {
				kind := hidden
				if r.Float64() < 0.2+0.6*float64(a)/attributes {
					kind = r.IntN(kinds)
				}
				s.Index, s.Values = append(s.Index, uint32(a*kinds+kind)), append(s.Values, 1)
			}
			s.Offsets = append(s.Offsets, len(s.Index))
		}
		all := problemOf(s)
		penalty := oracle.Defaults()
		penalty.L1, penalty.L2 = 0, 0.001
		best, err := oracle.Newton(s, penalty)
		if err != nil {
			t.Fatal(err)
		}
		want := s.Objective(best, penalty.L1, penalty.L2)
		p := Params{L1: penalty.L1, L2: penalty.L2, Workers: 1, Tolerance: tolerance}
		if got := all.run(t, p, mega.Options{Workers: 1, Epochs: 5000}, false); got.objective > want*(1+tolerance) {
			t.Errorf("the objective is %v, the least %v", got.objective, want)
		}
	}
}

// outcome is what a run has come to.
type outcome struct {
	reached, told    float64 // the objective after the last epoch, and what was told of it
	objective        float64 // in the end
	remaining, least float64 // as Tolerance has it; what the dual says
	weights, epochs  int     // that are not 0; it took
}

// run has a program learn until it says that it is done.
func (s problem) run(t *testing.T, p Params, o mega.Options, dual bool) (got outcome) {
	t.Helper()
	program, g := Primal(p), s.features
	if dual {
		program, g = Dual(p), s.samples
	}
	state, report, err := mega.Run(t.Context(), program, g, o)
	if err != nil {
		t.Fatal(err)
	}
	if !report.Done && p.Tolerance > 0 {
		t.Errorf("%+v, dual %v: %d epochs were not enough", p, dual, o.Epochs)
	}
	for i, f := range report.Losses[1:] {
		fallen := report.Losses[i] - f
		hardly, last := fallen >= 0 && fallen <= 0.02*f, i == len(report.Losses)-2
		if !dual && p.Tolerance > 0 && o.Slack == 0 && hardly != last {
			t.Errorf("%+v: of %d epochs, epoch %d brought %v to %v", p, len(report.Losses), i+2, report.Losses[i], f)
		}
	}
	w := make([]float64, s.Features)
	if copy(w, state.Right); !dual {
		for j := range w {
			w[j] = state.Left[PrimalWidth*j+Weight]
		}
	}
	got.reached, got.told, got.epochs = s.Objective(w, p.L1, p.L2), report.Losses[len(report.Losses)-1], len(report.Losses)
	if dual {
		betas := make([]float64, len(s.Labels))
		for i := range betas {
			if betas[i] = 0.5; s.Offsets[i] < s.Offsets[i+1] {
				betas[i] = state.Left[DualWidth*i+Beta]
			} else {
				got.told += math.Ln2
			}
			got.least += Entropy(betas[i])
		}
		for _, v := range s.slopes(betas) {
			got.least -= p.Conjugate(v)
		}
	} else if p.Tolerance > 0 {
		all := make([]float64, s.Features+len(s.Labels))
		copy(all, w)
		if got.least, _, err = p.Newton(t.Context(), vertices(s.Samples, math.MaxInt), all, p.Tolerance, 100); err != nil {
			t.Fatal(err)
		}
		w = all[:s.Features]
	}
	for _, x := range w {
		if x != 0 {
			got.weights++
		}
	}
	got.objective = s.Objective(w, p.L1, p.L2)
	got.remaining = (got.objective - got.least) / got.least
	return got
}

// slopes are Σ β z of features.
func (s problem) slopes(betas []float64) []float64 {
	slopes := make([]float64, s.Features)
	for i, y := range s.Labels {
		for k := s.Offsets[i]; k < s.Offsets[i+1]; k++ {
			slopes[s.Index[k]] += y * s.Values[k] * betas[i]
		}
	}
	return slopes
}

// TestPrimal_NeverWorse: by one worker no move makes the objective larger.
func TestPrimal_NeverWorse(t *testing.T) {
	r := testseed.Rand(t)
	for range 50 {
		g := drawn(r).features
		if len(g.Targets) == 0 {
			continue
		}
		_, report, err := mega.Run(context.Background(), Primal(Params{L1: r.Float64(), L2: r.Float64()}), g,
			mega.Options{Epochs: 30, Batch: r.IntN(30)})
		if err != nil {
			t.Fatal(err)
		}
		for i, loss := range report.Losses[1:] {
			if before := report.Losses[i]; loss > before*(1+1e-9) {
				t.Errorf("epoch %d: %v, after %v", i+1, loss, before)
			}
		}
	}
}

// TestParams_WorkersAndSlack: what others may have moved unheard of goes by the other workers, times the slack and 1.
// One alone moves as far whatever the slack, and two less far; of samples that no others move, as far as alone.
func TestParams_WorkersAndSlack(t *testing.T) {
	moved := func(program func(Params) *mega.Program[float64, float64, float32], p Params, together float64) float64 {
		p.L2 = 0.5
		prog := program(p)
		row, width := make([]float64, prog.Left.Width()), prog.Right.Width()
		prog.StartLeft(0, row)
		e := mega.Edges[float64, float32]{Targets: []uint32{0, 1, 2}, Values: []float32{1, -0.5, 2},
			Mirrors: make([]float64, 3*width), Width: width}
		for i, x := range []float64{0.3, 0.1, -0.2} {
			if e.Row(i)[0] = x; prog.StartMirror != nil {
				prog.StartMirror(e.Row(i)[1:], together)
			}
		}
		before := e.Row(0)[0]
		prog.Block(&mega.Worker[float64]{Tally: make([]float64, prog.Tally)}, row, e)
		return math.Abs(e.Row(0)[0] - before)
	}
	alone, ahead, two := Params{Workers: 1}, Params{Workers: 1, Slack: 3}, Params{Workers: 2}
	for name, program := range testseed.Sorted(map[string]func(Params) *mega.Program[float64, float64, float32]{
		"dual": Dual, "primal": Primal}) {
		if a, b, c := moved(program, alone, 1), moved(program, ahead, 1), moved(program, two, 2); a != b || c >= a {
			t.Errorf("%s: one worker moves by %v, one that may be ahead by %v, two by %v", name, a, b, c)
		}
	}
	if a, b := moved(Dual, Params{Workers: 2, Slack: 1}, 0), moved(Dual, Params{Workers: 3}, 0); a != b {
		t.Errorf("dual: two workers with a slack of 1 move by %v, three by %v", a, b)
	}
	a, b, c := moved(Primal, alone, 1), moved(Primal, two, 1), moved(Primal, two, 1.5)
	if math.Abs(a-b) > 1e-12 || c >= a {
		t.Errorf("primal: alone it moves by %v, beside none by %v, beside half of one by %v", a, b, c)
	}
}
