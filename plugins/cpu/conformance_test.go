package cpu_test

import (
	"testing"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

func TestConformance(t *testing.T) {
	plugintest.Run(t, func(*testing.T) plugins.Device { return cpu.New(cpu.Options{}) })
}
