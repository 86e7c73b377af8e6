package npu_test

import (
	"testing"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

// TestPair: this device and the processor have a program in parts, and either is the one that applies.
func TestPair(t *testing.T) {
	processor := func(*testing.T) plugins.Device { return cpu.New(cpu.Options{Threads: 2}) }
	dense := func(t *testing.T) plugins.Device { return open(t) }
	t.Run("core", func(t *testing.T) { plugintest.RunPair(t, processor, dense) })
	t.Run("rest", func(t *testing.T) { plugintest.RunPair(t, dense, processor) })
}
