package core

import (
	"testing"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// Describe has the device say what it is, twice alike.
func Describe(t *testing.T, device plugins.Device) {
	d := drive.Describe(t, device)
	if d.Name == "" || d.Version == "" || d.Hardware == "" {
		t.Errorf("a user cannot tell what this is: %+v", d)
	}
	if again := drive.Describe(t, device); again.Name != d.Name || again.Version != d.Version {
		t.Errorf("asked twice: %+v, then %+v", d, again)
	}
}
