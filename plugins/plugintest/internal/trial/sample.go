package trial

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// Sample is a program for what is proven of any: fractions in so many iterations or, for a device that runs some
// programs alone, the first that it lists.
func Sample(t *testing.T, r *rand.Rand, device plugins.Device, g *algorithms.Graph,
	iterations int) *algorithms.Program {
	t.Helper()
	d := drive.Describe(t, device)
	if len(d.Programs) == 0 {
		p := fractions()
		p.MaxIterations = iterations
		return p
	}
	all := Programs(d)
	if len(all) == 0 {
		t.Fatalf("the device lists %q, none of which is a vertex program of the catalog", d.Programs)
	}
	args, ok := drawn.Bind(t, r, all[0], g)
	if !ok {
		t.Skip("the graph has no vertex to begin from")
	}
	p, err := all[0].Program(args)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// fractions is a program whose result depends on the order of every sum.
func fractions() *algorithms.Program {
	expr := func(source string) algorithms.Expr { return algorithms.Expr{Source: source} }
	return &algorithms.Program{
		Name: "fractions",
		State: []algorithms.State{{Name: "x", Type: algorithms.Float,
			Init: expr("1.0 / double(id + 3)"), Apply: expr("0.3 * acc + 0.7 * agg.total / double(n)")}},
		Process:       expr("src.x / (0.1 + double(src.out_degree))"),
		Reduce:        algorithms.Sum,
		Activity:      algorithms.Always,
		MaxIterations: 3,
		Exactly:       true,
		Aggregates:    []algorithms.Aggregate{{Name: "total", Expr: expr("self.x / 3.0")}},
	}
}
