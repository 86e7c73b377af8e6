package algorithms

import (
	"testing"

	"google.golang.org/protobuf/proto"
)

// TestWith: a checked program with other constants is the one that Check makes with them.
func TestWith(t *testing.T) {
	expr := func(source string) Expr { return Expr{Source: source} }
	program := func(half float64, seven, yes, who int64) *Program {
		return &Program{
			Name: "constants",
			State: []State{
				{Name: "x", Type: Float, Init: expr("id == who ? half : inf"), Apply: expr("min(acc, double(seven) + agg.total)")},
				{Name: "y", Type: Int, Init: expr("yes ? seven : unreached")},
			},
			Process:    expr("yes ? src.x + half : double(src.y % seven)"),
			Reduce:     Min,
			Aggregates: []Aggregate{{Name: "total", Expr: expr("self.x * half")}},
			Constants: []Constant{{Name: "half", Type: Float, Float: half}, {Name: "seven", Type: Int, Int: seven},
				{Name: "yes", Type: Bool, Int: yes}, {Name: "who", Type: VertexID, Int: who}},
		}
	}
	checked := func(p *Program) *Program {
		if err := Check(p, nil); err != nil {
			t.Fatal(err)
		}
		return p
	}
	first, want := checked(program(0.5, 7, 1, 3)), checked(program(0.25, 8, 0, 4))
	got := first.With(append(want.Constants, Constant{Name: "unreached", Type: Int, Int: 1})...)
	again := checked(program(0.5, 7, 1, 3)) // first is as it was
	exprs := func(p *Program) []Expr {
		return []Expr{p.Process, p.State[0].Init, p.State[0].Apply, p.State[1].Init, p.State[1].Apply, p.Aggregates[0].Expr}
	}
	for i, e := range exprs(want) {
		if !proto.Equal(exprs(got)[i].Checked, e.Checked) || !proto.Equal(exprs(first)[i].Checked, exprs(again)[i].Checked) {
			t.Errorf("%s: %v; expected %v", e.Source, exprs(got)[i].Checked, e.Checked)
		}
	}
	for i, c := range want.Constants {
		if got.Constants[i] != c || first.Constants[i] == c {
			t.Errorf("constant %+v; expected %+v; was %+v", got.Constants[i], c, first.Constants[i])
		}
	}
}
