package algorithms_test

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

// Sums of what came and a vertex's own term, with which it begins, are known by their form; so is what is none: another
// term than at the beginning, another message, a run with a bound, and one that ends nearby.
func TestProgram_AddsUp(t *testing.T) {
	const own, term = "id == source ? 1.0 : 0.0", "(self.id == source ? 1.0 : 0.0)"
	for name, c := range map[string]struct {
		init, apply, process string
		change               func(*algorithms.Program)
		want                 bool
	}{
		"as num-paths":              {own, term + " + acc", "src.x", nil, true},
		"the other way round":       {own, "acc + " + term, "src.x", nil, true},
		"by degree":                 {"double(out_degree)", "double(self.out_degree) + acc", "src.x", nil, true},
		"a constant":                {"0.5", "acc + 0.5", "src.x", nil, true},
		"another term":              {own, "(self.id == source ? 2.0 : 0.0) + acc", "src.x", nil, false},
		"another condition":         {own, "(self.id != source ? 1.0 : 0.0) + acc", "src.x", nil, false},
		"a term of the state":       {"double(source)", "self.x + acc", "src.x", nil, false},
		"a term named as the state": {"x", "self.x + acc", "src.x", named("x"), false},
		"a share of what came":      {own, term + " + 0.5 * acc", "src.x", nil, false},
		"less what came":            {own, term + " - acc", "src.x", nil, false},
		"what came alone":           {own, "acc", "src.x", nil, false},
		"a share is sent":           {own, term + " + acc", "0.5 * src.x", nil, false},
		"something else is sent":    {own, term + " + acc", "double(src.id)", nil, false},
		"some vertices send": {own, term + " + acc", "src.x",
			func(p *algorithms.Program) { p.Activity = algorithms.Changed }, false},
		"the most that came": {own, term + " + acc", "src.x",
			func(p *algorithms.Program) { p.Reduce = algorithms.Max }, false},
		"until little changes": {own, term + " + acc", "src.x",
			func(p *algorithms.Program) { p.Tolerance = 0.1 }, false},
		"whatever changes": {own, term + " + acc", "src.x",
			func(p *algorithms.Program) { p.Norm = algorithms.NoNorm }, false},
		"so many iterations": {own, term + " + acc", "src.x",
			func(p *algorithms.Program) { p.MaxIterations = 7 }, false},
		"exactly so many": {own, term + " + acc", "src.x",
			func(p *algorithms.Program) { p.Exactly = true }, false},
		"each message at another time": {own, term + " + acc", "src.x",
			func(p *algorithms.Program) { p.Order = algorithms.Accumulative }, false},
		"another column as well": {own, term + " + acc", "src.x", another, false},
	} {
		p := &algorithms.Program{Name: "sums", Reduce: algorithms.Sum, Activity: algorithms.Always, Norm: algorithms.LInf,
			Constants: []algorithms.Constant{{Name: "source", Type: algorithms.VertexID}},
			State: []algorithms.State{{Name: "x", Type: algorithms.Float, Init: algorithms.Expr{Source: c.init},
				Apply: algorithms.Expr{Source: c.apply}}},
			Process: algorithms.Expr{Source: c.process}}
		if c.change != nil {
			c.change(p)
		}
		if err := algorithms.Check(p, nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := p.AddsUp(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// named gives a program a constant of this name.
func named(name string) func(*algorithms.Program) {
	return func(p *algorithms.Program) {
		p.Constants = append(p.Constants, algorithms.Constant{Name: name, Type: algorithms.Float, Float: 1})
	}
}

// another gives a program a second column.
func another(p *algorithms.Program) {
	p.State = append(p.State, algorithms.State{Name: "y", Type: algorithms.Float, Init: algorithms.Expr{Source: "1.0"}})
}
