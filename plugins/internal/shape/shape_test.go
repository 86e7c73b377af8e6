package shape_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

func expr(source string) algorithms.Expr { return algorithms.Expr{Source: source} }

// checked is a program of one column x, doubles, with this Process and Apply.
func checked(t *testing.T, process, apply string) *algorithms.Program {
	t.Helper()
	p := &algorithms.Program{Name: process, Process: expr(process), Reduce: algorithms.Min,
		State:     []algorithms.State{{Name: "x", Type: algorithms.Float, Init: expr("0.0"), Apply: expr(apply)}},
		Constants: []algorithms.Constant{{Name: "one", Type: algorithms.Float, Float: 1}}}
	if err := algorithms.Check(p, []string{"w"}); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSplit(t *testing.T) {
	for process, want := range map[string]string{
		"src.x":                         "true src.x 0 ",
		"1.0 * src.x":                   "true src.x 0 ",
		"src.x / double(src.in_degree)": "true  0 ",
		"src.x + edge.w":                "true src.x 1 w",
		"edge.w + src.x":                "true src.x 1 w",
		"edge.w * (src.x - 0.0) * one":  "true src.x 2 w",
		"min(src.x, edge.w)":            "true src.x 3 w",
		"max(edge.w, -(-(src.x)))":      "true src.x 4 w",
		"one + edge.w":                  "true one 1 w",
		"src.x - edge.w":                "false  0 ",
		"src.x + dst.x":                 "false  0 ",
		"edge.w + edge.w":               "false  0 ",
		"src.x + 2.0 * edge.w":          "false  0 ",
	} {
		s := shape.Split(shape.Normal(checked(t, process, "").Process.Checked))
		name := ""
		if s.Fused {
			name = vector.Name(s.Message, s.Message.GetExpr())
		}
		if got := fmt.Sprint(s.Fused, " ", name, " ", s.Weighting, " ", s.EdgeColumn); got != want {
			t.Errorf("%s: got %q; expected %q", process, got, want)
		}
	}
}

func TestProcess_Lengthens(t *testing.T) {
	for process, want := range map[string]bool{"edge.w + src.x": true, "src.x * edge.w": false,
		"(src.x + 1.0) + edge.w": false, "src.x": false} {
		p := checked(t, process, "")
		if got := shape.Split(p.Process.Checked).Lengthens(p); got != want {
			t.Errorf("%s: %v", process, got)
		}
	}
}

// An Apply that says what is done without one is none, and only then the state improves.
func TestWithoutDefault(t *testing.T) {
	for apply, want := range map[string]bool{"": true, "min(self.x, acc)": true, "min(acc, self.x / 1.0)": true,
		"max(self.x, acc)": false, "min(self.x, self.x)": false, "acc": false} {
		p := checked(t, "src.x", apply)
		if got := shape.Improves(shape.WithoutDefault(p)); got != want {
			t.Errorf("%q: improves %v; expected %v", apply, got, want)
		}
		if p.State[0].Apply.Source != apply {
			t.Errorf("%q: the program was changed", apply)
		}
	}
	p := checked(t, "src.x", "")
	p.Reduce = algorithms.Sum
	if shape.Improves(p) || !shape.Accumulates(p.Reduce) {
		t.Error("a sum only gets better")
	}
}

func TestSame(t *testing.T) {
	of := func(process string) *algorithms.Program { return checked(t, process, "") }
	for _, c := range []struct {
		a, b string
		want bool
	}{{"src.x + 1.0", "src.x + one", true}, {"src.x + 1.0", "src.x * 1.0", false}, {"src.x", "dst.x", false},
		{"-(1.0)", "0.0 - 1.0", false}, {"min(src.x, 2.0)", "min(src.x, 2.0)", true}, {"src.x", "1.0", false}} {
		if got := shape.Same(of(c.a).Process.Checked, of(c.b).Process.Checked); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
	for process, want := range map[string]bool{"0.0": true, "-0.0": false, "1.0": false, "src.x": false} {
		if shape.IsZero(of(process).Process.Checked) != want {
			t.Errorf("%s", process)
		}
	}
}

// Only what may come twice and in any order settles, and only where its end is certain.
func TestSettles(t *testing.T) {
	for want, change := range map[string]func(*algorithms.Program){
		"":                        func(*algorithms.Program) {},
		"count twice":             func(p *algorithms.Program) { p.Order = algorithms.Synchronous },
		"more than its last":      func(p *algorithms.Program) { p.MaxIterations = 3 },
		"an Apply of its own":     func(p *algorithms.Program) { p.State[0].Apply = expr("acc") },
		"noticed that it is lost": func(p *algorithms.Program) { p.Process = checked(t, "src.x * edge.w", "").Process },
	} {
		p := checked(t, "src.x + edge.w", "")
		p.Order, p.Diverged = algorithms.Monotone, "it is lost"
		change(p)
		err := shape.Settles(p)
		if (err == nil) != (want == "") || err != nil &&
			(!strings.Contains(err.Error(), want) || plugins.KindOf(err) != plugins.KindUnsupported) {
			t.Errorf("%q: %v", want, err)
		}
	}
	p := checked(t, "src.x + edge.w", "")
	for weight, settles := range map[float64]bool{0: true, 2.5: true, -1: false, math.NaN(): false} {
		if err := shape.SettlesWith(p, weight); (err == nil) != settles {
			t.Errorf("weight %v: %v", weight, err)
		}
	}
}

func TestChecked(t *testing.T) {
	for want, change := range map[string]func(*algorithms.Program){
		"":                   func(*algorithms.Program) {},
		"has no state":       func(p *algorithms.Program) { p.State = nil },
		`"acc" has not been`: func(p *algorithms.Program) { p.State[0].Apply = expr("acc") },
		`"0.0" has not been`: func(p *algorithms.Program) { p.State[0].Init = expr("0.0") },
		`"1.0" has not been`: func(p *algorithms.Program) {
			p.Aggregates = []algorithms.Aggregate{{Name: "a",
				Expr: expr("1.0")}}
		},
		`"src.x" has not been`: func(p *algorithms.Program) { p.Process = expr("src.x") },
		"reduce or does not":   func(p *algorithms.Program) { p.Reduce = algorithms.Or },
	} {
		p := checked(t, "src.x", "")
		change(p)
		err := shape.Checked(p)
		if (err == nil) != (want == "") || err != nil &&
			(!strings.Contains(err.Error(), want) || plugins.KindOf(err) != plugins.KindInvalid) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
