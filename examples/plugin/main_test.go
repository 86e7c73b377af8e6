package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

// TestMain makes the test binary the plugin itself when a host has started it.
func TestMain(m *testing.M) { plugintest.Main(m, main) }

// TestConformance runs the suite over the process boundary.
func TestConformance(t *testing.T) {
	plugintest.Run(t, func(t *testing.T) plugins.Device {
		return plugintest.Launch(t, exec.Command(os.Args[0]))
	})
}
