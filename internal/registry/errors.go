package registry

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/penstock-db/penstock/internal/distribution/manifest"
)

// UnknownPluginError is a name that no installed plugin has.
type UnknownPluginError struct {
	Name, Dir string
	Installed []string
}

func (e *UnknownPluginError) Error() string {
	if e.Name == NPU {
		return fmt.Sprintf(
			"plugin %s is not installed in %s: it needs ONNX Runtime; `penstock plugin install %s` looks for one, or says where to get it", NPU, e.Dir, NPU)
	}
	if near := e.nearest(); near != "" {
		return fmt.Sprintf("no plugin %q in %s: did you mean %q?", e.Name, e.Dir, near)
	}
	if len(e.Installed) == 0 {
		return fmt.Sprintf("no plugin %q in %s: none is installed", e.Name, e.Dir)
	}
	return fmt.Sprintf("no plugin %q in %s: installed are %s", e.Name, e.Dir, strings.Join(e.Installed, ", "))
}

// nearest is the installed name that is at most two edits away.
func (e *UnknownPluginError) nearest() string {
	best, distance := "", 3
	for _, name := range e.Installed {
		if d := levenshtein.ComputeDistance(e.Name, name); d < distance {
			best, distance = name, d
		}
	}
	return best
}

// PlatformError is a plugin that has no program for this platform.
type PlatformError struct {
	Plugin, Platform string
	For              string // the platform of its package; empty: it has none
}

func (e *PlatformError) Error() string {
	if e.For != "" {
		return fmt.Sprintf("this package of plugin %s is for %s, and this is %s: install the package for that", e.Plugin, e.For,
			e.Platform)
	}
	return fmt.Sprintf("plugin %s has no program for %s", e.Plugin, e.Platform)
}

// ManifestError is a manifest or lock file that does not say what it must.
type ManifestError = manifest.Error

// InstalledError is an installation over a plugin that is there already.
type InstalledError struct {
	Name, Version string
}

func (e *InstalledError) Error() string {
	return fmt.Sprintf("plugin %s %s is installed already: remove it first, or install with --replace", e.Name, e.Version)
}

// LostError is an installed program, or a library that one loads, that cannot be read.
type LostError struct {
	Plugin, File string
	Err          error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("plugin %s: a file of it cannot be read (%v): install it again, with --replace", e.Plugin, e.Err)
}

func (e *LostError) Unwrap() error { return e.Err }
