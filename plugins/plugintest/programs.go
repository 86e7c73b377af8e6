package plugintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// randomPrograms is how many programs the suite makes up.
const randomPrograms = 40

// testPrograms compares random programs with the interpreter: values and, since all of
// them are synchronous, the number of iterations.
func testPrograms(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	draws := newGenerator(t, r, device)
	for i := range randomPrograms {
		g, p := randomGraph(r), draws.program()
		if len(g.Out.Neighbors) == 0 {
			continue // it has no edge properties, and p may read one
		}
		m := modes[i%len(modes)]
		want, iterations, err := algorithms.RunProgram(g, p)
		if err != nil {
			t.Fatalf("%s: %v", text(p), err)
		}
		got, err := runProgram(t, r, device, g, p, m)
		if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			t.Logf("not for this device: %v", err)
			continue
		}
		if err == nil {
			err = differs(g, got.values, want, nearly)
		}
		if err == nil && got.last.Number != iterations {
			err = fmt.Errorf("%d iterations; expected %d", got.last.Number, iterations)
		}
		if err != nil {
			t.Errorf("%s\n%s, %d vertices, %d edges, directed %v: %v", text(p), m.name, g.N(), edgeCount(g), g.Directed, err)
		}
	}
}

// text is p as a reader wants it.
func text(p *algorithms.Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v over %d of %s\nactivity %d, norm %d, tolerance %v, %d iterations, exactly %v\n",
		p.Reduce, p.Edges, p.Process.Source, p.Activity, p.Norm, p.Tolerance, p.MaxIterations, p.Exactly)
	for _, s := range p.State {
		fmt.Fprintf(&b, "%v %s = %s; then %s\n", s.Type, s.Name, s.Init.Source, s.Apply.Source)
	}
	for _, a := range p.Aggregates {
		fmt.Fprintf(&b, "agg.%s = %s\n", a.Name, a.Expr.Source)
	}
	return b.String()
}
