package npu_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/npu"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

// open is the device on the processor, with the real library.
func open(t testing.TB) plugins.Device {
	t.Helper()
	orttest.Runtime(t) // skips the test where there is none
	device, err := npu.New(npu.Options{Library: orttest.Path()})
	if err != nil {
		t.Fatal(err)
	}
	return device
}

// TestConformance_Paper has the paper's operators do what depends on how messages are computed; PENSTOCK_LONG=1 has
// them do it for all algorithms.
func TestConformance_Paper(t *testing.T) {
	groups := []string{"Programs", "Lanes"}
	if long.Tests() {
		groups = append(groups, "Catalog", "Shapes")
	}
	plugintest.Run(t, func(t *testing.T) plugins.Device {
		if _, group, _ := strings.Cut(t.Name(), "/"); !slices.Contains(groups, group) {
			t.Skipf("TestConformance has this group in another form; here it has %v", groups)
		}
		orttest.Runtime(t)
		device, err := npu.New(npu.Options{Library: orttest.Path(), Paper: true})
		if err != nil {
			t.Fatal(err)
		}
		return device
	})
}

func TestConformance(t *testing.T) {
	plugintest.Run(t, func(t *testing.T) plugins.Device { return plugintest.Rounds(open(t)) })
}
