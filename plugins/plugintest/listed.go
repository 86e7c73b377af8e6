package plugintest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// listed tells whether a device that describes itself so runs an algorithm of the catalog. It lists procedures one by
// one. Of vertex programs it runs all, unless it lists some.
func listed(d plugins.Description, a *algorithms.Algorithm) bool {
	if a.Procedure != nil {
		return slices.Contains(d.Procedures, a.Name)
	}
	return len(d.Programs) == 0 || slices.Contains(d.Programs, a.Name)
}

// programs are the vertex programs of the catalog that a device runs.
func programs(d plugins.Description) (all []*algorithms.Algorithm) {
	for _, a := range algorithms.All() {
		if a.Procedure == nil && listed(d, a) {
			all = append(all, a)
		}
	}
	return all
}

// procedures are those of a catalog that a device lists.
func procedures(d plugins.Description, catalog algorithms.Catalog) (all algorithms.Catalog) {
	for _, a := range catalog {
		if a.Procedure != nil && listed(d, a) {
			all = append(all, a)
		}
	}
	return all
}

// unlisted judges what Compile says of an algorithm that the device does not list.
func unlisted(err error) error {
	switch {
	case err == nil:
		return fmt.Errorf("Compile of an algorithm that is not listed succeeded; expected %q", plugins.KindUnsupported)
	case plugins.KindOf(err) != plugins.KindUnsupported:
		return fmt.Errorf("Compile of an algorithm that is not listed: %w; expected %q", err, plugins.KindUnsupported)
	}
	return nil
}

// sample is a program for what is proven of any: fractions in so many iterations or, for a device that runs some
// programs alone, the first that it lists.
func sample(t *testing.T, r *rand.Rand, device plugins.Device, g *algorithms.Graph,
	iterations int) *algorithms.Program {
	t.Helper()
	d := describe(t, device)
	if len(d.Programs) == 0 {
		p := fractions()
		p.MaxIterations = iterations
		return p
	}
	all := programs(d)
	if len(all) == 0 {
		t.Fatalf("the device lists %q, none of which is a vertex program of the catalog", d.Programs)
	}
	args, ok := bind(t, r, all[0], g)
	if !ok {
		t.Skip("the graph has no vertex to begin from")
	}
	p, err := all[0].Program(args)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
