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

// refuses judges what Compile says of an algorithm that the device does not list.
func refuses(err error) error {
	switch {
	case err == nil:
		return fmt.Errorf("Compile of an algorithm that is not listed succeeded; expected %q", plugins.KindUnsupported)
	case plugins.KindOf(err) != plugins.KindUnsupported:
		return fmt.Errorf("Compile of an algorithm that is not listed: %w; expected %q", err, plugins.KindUnsupported)
	}
	return nil
}

// testUnlisted: what a device does not list it refuses by the right kind, and is not asked for.
func testUnlisted(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm) {
	g := randomGraph(r)
	args, ok := bind(t, r, a, g)
	if !ok {
		return
	}
	var w work
	if a.Procedure != nil {
		w = procedureWork(a, args)
	} else if p, err := a.Program(args); err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	} else {
		w = programWork(t, g, p)
	}
	_, err := newRig(t, r, device, g, w, modes[0])
	if err := refuses(err); err != nil {
		t.Error(err)
	}
}
