package npu_test

import (
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

func TestConformance(t *testing.T) {
	plugintest.Run(t, func(t *testing.T) plugins.Device { return open(t) })
}
