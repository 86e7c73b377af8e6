package plugintest

import (
	"testing"

	"github.com/penstock-db/penstock/plugins"
)

func describe(t testing.TB, device plugins.Device) plugins.Description {
	t.Helper()
	d, err := device.Describe(t.Context())
	if err != nil {
		t.Fatalf("Describe: %v", err)
	}
	return d
}
