package cuda_test

import (
	"testing"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

// TestMain has everything here compute on softcuda, a test double of a card.
func TestMain(m *testing.M) { softcuda.Main(m) }

func TestConformance(t *testing.T) {
	plugintest.Run(t, func(*testing.T) plugins.Device { return cuda.New(cuda.Options{}) })
}

// TestConformance_Border tests the plugin's program, over its border.
func TestConformance_Border(t *testing.T) {
	plugintest.Run(t, func(t *testing.T) plugins.Device { return launch(t) })
}

func TestConformance_Managed(t *testing.T) {
	plugintest.Run(t, func(*testing.T) plugins.Device { return cuda.New(cuda.Options{Managed: true}) })
}
