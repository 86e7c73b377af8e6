package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	oracle "github.com/penstock-db/penstock/algorithms/mega/linear"
	"github.com/penstock-db/penstock/internal/long"
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
	lists := make([][]uint32, features)
	values := make([][]float32, features)
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
			lists[j], values[j] = append(lists[j], uint32(i)), append(values[j], float32(y)*x)
		}
		s.Offsets = append(s.Offsets, len(s.Index))
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

// TestRun_AsTheOracle: whatever the penalty, the workers and the slack, the objective comes to the least there is.
func TestRun_AsTheOracle(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	cases := 20
	if long.Tests() {
		cases = 60
	}
	for range cases {
		s := drawn(r)
		if len(s.Index) == 0 {
			continue
		}
		penalty := oracle.Defaults()
		var want float64
		if r.IntN(2) == 0 {
			penalty.L2 = 0.1 + r.Float64()
			w, err := oracle.Newton(s.Samples, penalty)
			if err != nil {
				t.Fatal(err)
			}
			want = s.Objective(w, 0, penalty.L2)
		} else {
			penalty.L1 = 0.1 + 3*r.Float64()
			w, err := oracle.Coordinates(s.Samples, penalty)
			if err != nil {
				t.Fatal(err)
			}
			want = s.Objective(w, penalty.L1, 0)
		}
		o := mega.Options{Workers: 1 + r.IntN(4), Slack: r.IntN(4), Epochs: 1500, Batch: 1 + r.IntN(40)}
		p := Params{L1: penalty.L1, L2: penalty.L2, Workers: o.Workers, Slack: o.Slack}
		dual := p.L1 == 0 && r.IntN(2) == 0
		w := make([]float64, s.Features)
		program, g := Primal(p), s.features
		if dual {
			program, g = Dual(p), s.samples
		}
		state, report, err := mega.Run(context.Background(), program, g, o)
		if err != nil {
			t.Fatal(err)
		}
		if copy(w, state.Right); !dual {
			for j := range w {
				w[j] = state.Left[width*j+Weight]
			}
		}
		got := s.Objective(w, p.L1, p.L2)
		if got > want*(1+1e-4) || got < want*(1-1e-6) {
			t.Errorf("%+v, dual %v, %d workers, slack %d: %v, want %v", p, dual, o.Workers, o.Slack, got, want)
		}
		told := report.Losses[o.Epochs-1]
		for i := range s.Labels {
			if dual && s.Offsets[i] == s.Offsets[i+1] {
				told += math.Ln2
			}
		}
		if o.Slack == 0 && math.Abs(told-got) > 1e-6*got {
			t.Errorf("it told of %v; the objective is %v", told, got)
		}
	}
}

// TestPrimal_NeverWorse: by one worker no move makes the objective larger.
func TestPrimal_NeverWorse(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
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

// TestParams_WorkersAndSlack: what others may have moved unheard of goes by the workers, times the slack and 1: two
// workers in step move as one does that may be a clock ahead, and less far than one alone.
func TestParams_WorkersAndSlack(t *testing.T) {
	edges := func() mega.Edges[float64, float32] {
		return mega.Edges[float64, float32]{Targets: []uint32{0, 1, 2}, Values: []float32{1, -0.5, 2},
			Mirrors: []float64{0.3, 0, 0, 0.1, 0, 0, -0.2, 0, 0}, Width: 3}
	}
	for name, program := range map[string]func(Params) *mega.Program[float64, float64, float32]{"dual": Dual,
		"primal": Primal} {
		moved := func(p Params) float64 {
			p.L2 = 0.5
			row := make([]float64, 2)
			prog := program(p)
			prog.StartLeft(0, row)
			e := edges()
			if name == "primal" {
				e.Mirrors, e.Width = []float64{0.3, 0.1, -0.2}, 1
			}
			before := e.Row(0)[0]
			prog.Block(&mega.Worker[float64]{}, row, e)
			return math.Abs(e.Row(0)[0] - before)
		}
		alone, ahead, two := moved(Params{Workers: 1}), moved(Params{Workers: 1, Slack: 1}), moved(Params{Workers: 2})
		if ahead != two || ahead >= alone || moved(Params{Workers: 2, Slack: 2}) != moved(Params{Workers: 6}) {
			t.Errorf("%s: one worker moves by %v, two by %v, one that may be ahead by %v", name, alone, two, ahead)
		}
	}
}
