package trial

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// Listed tells whether a device that describes itself so runs an algorithm of the catalog. It lists procedures one by
// one. Of vertex programs it runs all, unless it lists some.
func Listed(d plugins.Description, a *algorithms.Algorithm) bool {
	if a.Procedure != nil {
		return slices.Contains(d.Procedures, a.Name)
	}
	return len(d.Programs) == 0 || slices.Contains(d.Programs, a.Name)
}

// Programs are the vertex programs of the catalog that a device runs.
func Programs(d plugins.Description) (all []*algorithms.Algorithm) {
	for _, a := range catalog.All() {
		if a.Procedure == nil && Listed(d, a) {
			all = append(all, a)
		}
	}
	return all
}

// Procedures are those of a catalog that a device lists.
func Procedures(d plugins.Description, catalog algorithms.Catalog) (all algorithms.Catalog) {
	for _, a := range catalog {
		if a.Procedure != nil && Listed(d, a) {
			all = append(all, a)
		}
	}
	return all
}

// refuses judges what Compile says of an algorithm that the device does not list.
func refuses(err error) error {
	switch {
	case err == nil:
		return fmt.Errorf("an algorithm that is not listed compiles; expected %q", plugins.KindUnsupported)
	case plugins.KindOf(err) != plugins.KindUnsupported:
		return fmt.Errorf("an algorithm that is not listed, in Compile: %w; expected %q", err, plugins.KindUnsupported)
	}
	return nil
}

// Unlisted: what a device does not list it refuses by the right kind, and is not asked for.
func Unlisted(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm) {
	g := drawn.RandomGraph(r)
	args, ok := drawn.Bind(t, r, a, g)
	if !ok {
		return
	}
	var w drive.Work
	if a.Procedure != nil {
		w = drive.ProcedureWork(a, args)
	} else if p, err := a.Program(args); err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	} else {
		w = drive.ProgramWork(t, g, p)
	}
	_, err := drive.Open(t, r, device, g, w, drive.Modes[0])
	if err := refuses(err); err != nil {
		t.Error(err)
	}
}
