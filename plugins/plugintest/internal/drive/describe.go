package drive

import (
	"testing"

	"github.com/penstock-db/penstock/plugins"
)

// Describe is what a device says of itself.
func Describe(t testing.TB, device plugins.Device) plugins.Description {
	t.Helper()
	d, err := device.Describe(t.Context())
	if err != nil {
		t.Fatalf("Describe: %v", err)
	}
	return d
}
