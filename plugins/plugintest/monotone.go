package plugintest

import (
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// testMonotone compares random programs whose messages may be applied in any order with the interpreter, which applies
// them in step: bit for bit, in every mode; they end without a result alike.
func testMonotone(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	draws := newGenerator(t, r, device)
	for i := range randomPrograms {
		g := randomGraph(r)
		if len(g.Out.Neighbors) == 0 {
			continue // it has no edge properties, and the program may read one
		}
		p, err := draws.monotone().Build(env(g))
		if err != nil {
			t.Fatal(err)
		}
		if p.Order != algorithms.Monotone {
			t.Fatalf("not monotone: %s", text(p))
		}
		m := modes[i%len(modes)]
		want, _, wantErr := algorithms.RunProgram(g, p)
		got, err := runProgram(t, r, device, g, p, m)
		var diverged *algorithms.DivergedError
		switch {
		case plugins.KindOf(err) == plugins.KindUnsupported && err != nil:
			t.Logf("not for this device: %v", err)
			continue
		case errors.As(wantErr, &diverged) && errors.As(err, &diverged):
			continue
		case wantErr != nil || err != nil:
			err = fmt.Errorf("ended with %w; expected %w", err, wantErr)
		default:
			err = differs(g, got.values, want, sameBits)
		}
		if err != nil {
			t.Errorf("%s\n%s, %d vertices, %d edges, directed %v: %v", text(p), m.name, g.N(), edgeCount(g), g.Directed, err)
		}
	}
}

// env is what a program of one's own is built for.
func env(g *algorithms.Graph) algorithms.Env {
	return algorithms.Env{
		Directed:      g.Directed,
		MostIn:        func() (int64, error) { return g.MostIn(), nil },
		N:             g.N(),
		M:             g.M(),
		EdgeColumns:   edgeColumns(g),
		VertexColumns: g.VertexColumns(),
		Vectors:       g.Vectors(),
		VectorWidth:   g.VectorWidth,
		Vertex:        func(user string) (int64, error) { return strconv.ParseInt(user, 10, 64) },
	}
}

// monotone draws a program of one's own whose messages may come in any order.
func (r generator) monotone() algorithms.Custom {
	c := algorithms.Custom{Edges: []string{"forward", "backward", "both"}[r.IntN(3)], Properties: map[string]string{}}
	for _, p := range r.properties {
		c.Properties[p.Name] = ""
	}
	without := &algorithms.Program{Properties: r.properties} // no state
	init := append(inputs("", without), variable{"n", algorithms.Int})
	edge := append(inputs("src.", without), inputs("dst.", without)...)
	edge = append(edge, variable{"edge." + weight, algorithms.Float}, variable{"edge." + spare, algorithms.Float})
	switch r.IntN(6) {
	case 0:
		c.Reduce, c.Init = []string{"and", "or"}[r.IntN(2)], r.draw(algorithms.Bool, init, 3)
		c.Process = r.draw(algorithms.Bool, append(edge, variable{"src.x", algorithms.Bool}), 3)
	case 1:
		c.Reduce = "min"
		c.Init = fmt.Sprintf("id %% %d == 0 ? %d : unreached", 1+r.IntN(20), r.IntN(100))
		c.Process = fmt.Sprintf("(%s ? src.x + %d : src.x)", r.draw(algorithms.Bool, edge, 2), r.IntN(3))
	case 2:
		c.Reduce = "max"
		c.Init = fmt.Sprintf("id %% %d == 0 ? %d.5 : -inf", 1+r.IntN(20), r.IntN(100))
		c.Process = fmt.Sprintf("(%s ? src.x * 0.%d : src.x)", r.draw(algorithms.Bool, edge, 2), r.IntN(10))
	default:
		c.Reduce = []string{"min", "max"}[r.IntN(2)]
		worst := map[string]string{"min": "inf", "max": "-inf"}[c.Reduce]
		c.Init = fmt.Sprintf("id %% %d == 0 ? %s : %s", 1+r.IntN(20), number(r.draw(algorithms.Float, init, 2)), worst)
		c.Process = r.worsened(c.Reduce, edge, 3)
	}
	return c
}

// worsened draws what an edge makes of a number, which keeps the order of numbers and, mostly, makes none better.
func (r generator) worsened(reduce string, edge []variable, depth int) string {
	if depth == 0 {
		return "src.x"
	}
	rest := r.worsened(reduce, edge, depth-1)
	adds, cuts := map[string]string{"min": "+", "max": "-"}[reduce], map[string]string{"min": "max", "max": "min"}[reduce]
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf("(%s ? %s : %s)", r.draw(algorithms.Bool, edge, 2), rest, r.worsened(reduce, edge, depth-1))
	case 1:
		return fmt.Sprintf("%s(%s, %s)", cuts, number(r.draw(algorithms.Float, edge, 2)), rest)
	case 2:
		return fmt.Sprintf("%s(%s, edge.%s)", cuts, rest, spare)
	case 3:
		return fmt.Sprintf("(%s %s abs(%s))", rest, adds, number(r.draw(algorithms.Float, edge, 2)))
	case 4:
		return fmt.Sprintf("(%s %s edge.%s)", rest, adds, []string{weight, weight, weight, spare}[r.IntN(4)])
	case 5:
		return fmt.Sprintf("(%s %s %d.5)", rest, adds, r.IntN(3))
	}
	return rest
}
