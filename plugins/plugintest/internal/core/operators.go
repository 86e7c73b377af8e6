package core

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// operand is the i-th vertex column to try an operator on: halves and infinities, small
// numbers, those that 32 bits do not hold, and those at the ends of int64.
func operand(t algorithms.Type, i int) string {
	format := map[algorithms.Type]string{
		algorithms.Float: "(id + %[1]d) %% 11 == 0 ? (id %% 2 == 0 ? inf : -inf) : double((id + 3 * %[1]d) %% 13 - 6) * 0.5",
		algorithms.Int:   "(id + %[1]d) %% 7 == 0 ? unreached : (id %% 5 == 0 ? -unreached - 1 : ((id + 4 * %[1]d) %% 9 - 4) * ((id / 2 + %[1]d) %% 4 == 0 ? 1000000007 : 1))",
		algorithms.Bool:  "(id + %[1]d) %% 3 == 0",
	}[t]
	return fmt.Sprintf(format, i)
}

// Operators tries each overload by itself: between two vertices in Process, and
// within one in Apply; and once more with 1 in Process, of which those who simplify expressions
// know something.
func Operators(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	g := drawn.DenseGraph(r, 150, 600)
	for _, op := range long.Raced(t, algorithms.Operators, 32) {
		t.Run(op.Overload, func(t *testing.T) {
			testOperator(t, r, device, g, tryout(op, ""))
			testOperator(t, r, device, g, tryout(op, one[op.Args[0]]))
		})
	}
}

func testOperator(t *testing.T, r *rand.Rand, device plugins.Device, g *algorithms.Graph, p *algorithms.Program) {
	t.Helper()
	want, _, err := algorithms.RunProgram(g, p)
	if err != nil {
		t.Fatalf("%s: %v", drawn.Text(p), err)
	}
	got, err := trial.RunProgram(t, r, device, g, p, drive.Modes[1])
	if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
		t.Skipf("the device lacks it: %v", err)
	}
	if err == nil {
		err = trial.Differs(g, got.Values, want, trial.Nearly)
	}
	if err != nil {
		t.Errorf("%s\n%v", drawn.Text(p), err)
	}
}

var one = map[algorithms.Type]string{algorithms.Float: "1.0", algorithms.Int: "1", algorithms.Bool: "true"}

// tryout is a program of one iteration that uses nothing but op and what it takes to
// have operands and to keep what comes of them. A literal takes the place of Process's first.
func tryout(op algorithms.Operator, literal string) *algorithms.Program {
	expr := func(source string) algorithms.Expr { return algorithms.Expr{Source: source} }
	p := &algorithms.Program{
		Name:          "tryout",
		State:         []algorithms.State{{Name: "sent", Type: op.Result, Init: expr(zero(op.Result)), Apply: expr("acc")}},
		Reduce:        algorithms.Min,
		Activity:      algorithms.Always,
		MaxIterations: 1,
	}
	if op.Result == algorithms.Bool {
		p.Reduce = algorithms.Or
	}
	var between, within []string
	for i, t := range op.Args {
		name := string(rune('a' + i))
		p.State = append(p.State, algorithms.State{Name: name, Type: t, Init: expr(operand(t, i))})
		between = append(between, []string{"src.", "dst.", "src."}[i]+name)
		within = append(within, "self."+name)
	}
	if literal != "" {
		between[0] = literal
	}
	p.Process = expr(drawn.Apply(op, between))
	kept := expr(drawn.Apply(op, within))
	if op.Result == algorithms.Float {
		p.Process.Source, kept.Source = drawn.Number(p.Process.Source), drawn.Number(kept.Source)
	}
	p.State = append(p.State, algorithms.State{Name: "kept", Type: op.Result, Init: expr(zero(op.Result)), Apply: kept})
	return p
}

func zero(t algorithms.Type) string {
	return map[algorithms.Type]string{algorithms.Float: "0.0", algorithms.Int: "0", algorithms.Bool: "false"}[t]
}
