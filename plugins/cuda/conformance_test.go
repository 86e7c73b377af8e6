package cuda_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda"
	"github.com/penstock-db/penstock/plugins/cuda/blas"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

// TestMain has everything here compute on softcuda, a test double of a card.
func TestMain(m *testing.M) {
	softcuda.Main(m)
	os.RemoveAll(folder) // of none it does nothing
}

// Groups run side by side: each has a device of its own, and waits more for answers than it computes.
func TestConformance(t *testing.T) {
	plugintest.Run(t, func(t *testing.T) plugins.Device {
		t.Parallel()
		return cuda.New(cuda.Options{})
	})
}

// TestConformance_Border tests the plugin's program, over its border: what a process may change. All algorithms go over
// it in clitest.
func TestConformance_Border(t *testing.T) {
	some(t, []string{"Describe", "SameBits", "Invalid", "Damage", "Cancel", "Sessions", "Again"},
		func(t *testing.T) plugins.Device { return launch(t) })
}

// TestConformance_Managed has chunks in unified memory.
func TestConformance_Managed(t *testing.T) {
	some(
		t, []string{"SameBits", "Damage", "Again"}, func(*testing.T) plugins.Device {
			return cuda.New(
				cuda.Options{Managed: true})
		})
}

// TestConformance_Library has a library multiply the matrices of networks.
func TestConformance_Library(t *testing.T) {
	library := softcuda.Blas(t)
	some(t, []string{"Networks"}, func(t *testing.T) plugins.Device {
		return launch(t, blas.LibraryVariable+"="+library, cuda.ProductsVariable+"=cublas")
	})
}

// some runs those groups of the suite: the others are the same in any form, and take long.
func some(t *testing.T, groups []string, open plugintest.Open) {
	plugintest.Run(t, func(t *testing.T) plugins.Device {
		if _, group, _ := strings.Cut(t.Name(), "/"); !slices.Contains(groups, group) {
			t.Skip("the group is the same in any form: TestConformance has it")
		}
		t.Parallel()
		return open(t)
	})
}
