package npu_test

import (
	"slices"
	"strings"
	"testing"

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

// TestConformance_Paper has the paper's operators do what depends on how messages are computed.
func TestConformance_Paper(t *testing.T) {
	plugintest.Run(t, func(t *testing.T) plugins.Device {
		if _, group, _ := strings.Cut(t.Name(), "/"); !slices.Contains([]string{"Catalog", "Shapes", "Programs", "Lanes"},
			group) {
			t.Skip("the group is the same in any form: TestConformance has it")
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
	plugintest.Run(t, func(t *testing.T) plugins.Device { return open(t) })
}
