package reference_test

import (
	"testing"

	"github.com/penstock-db/penstock/examples/plugin/reference"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

func TestConformance(t *testing.T) {
	plugintest.Run(t, func(*testing.T) plugins.Device { return reference.New() })
}

func BenchmarkDevice(b *testing.B) {
	plugintest.Bench(b, func(*testing.B) plugins.Device { return reference.New() })
}
