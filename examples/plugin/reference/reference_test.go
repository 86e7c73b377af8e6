package reference_test

import (
	"testing"

	"github.com/penstock-db/penstock/examples/plugin/reference"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

// The conformance test is in the folder above: over the process boundary.

func BenchmarkDevice(b *testing.B) {
	plugintest.Bench(b, func(*testing.B) plugins.Device { return reference.New() })
}
