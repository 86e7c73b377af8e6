package plan

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/allowlist"
)

// Devices says which devices a request may name. The zero value allows all of them, and programs
// by their paths: the user of this program may start any other. A client of a server may not.
type Devices struct {
	// ByName refuses paths. What is left is the built-in device and the installed plugins.
	ByName bool
	// Names are the only ones allowed; nil: all. With "cpu" goes "auto", which chooses among them.
	Names []string
	// Enabled are those that the owner of the database lets run in it, beside the built-in one.
	Enabled Allowlist
}

// Allowlist is which plugins the owner of a database has enabled for it.
type Allowlist = allowlist.List

// Check fails with a *DeviceNotAllowedError, or a *NotEnabledError.
func (d Devices) Check(name string) error {
	path := strings.ContainsRune(name, filepath.Separator)
	switch {
	case d.ByName && path:
		return &DeviceNotAllowedError{Device: name, Path: true, Allowed: d.Names}
	case !d.names(name):
		return &DeviceNotAllowedError{Device: name, Path: path, Allowed: d.Names}
	case name == AutoDevice || name == CPUDevice:
		return nil
	}
	return d.Enabled.Check(name)
}

func (d Devices) names(name string) bool {
	return d.Names == nil || slices.Contains(d.Names, name) || name == AutoDevice && slices.Contains(d.Names, CPUDevice)
}

// NotEnabledError is a plugin that the owner of the database has not enabled for it. Nothing was started.
type NotEnabledError = allowlist.NotEnabledError

// DeviceNotAllowedError is a device that a request may not name. Nothing was started.
type DeviceNotAllowedError struct {
	Device  string
	Path    bool     // it is a program's path
	Allowed []string // nil: every device that is built in or installed
}

func (e *DeviceNotAllowedError) Error() string {
	allowed := "cpu, auto, or an installed plugin"
	if e.Allowed != nil {
		allowed = strings.Join(e.Allowed, ", ")
	}
	if e.Path {
		return fmt.Sprintf("device %q: a statement cannot start a program by its path; allowed here: %s", e.Device, allowed)
	}
	return fmt.Sprintf("device %q is not allowed here; allowed: %s", e.Device, allowed)
}
