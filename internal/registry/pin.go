package registry

import (
	"errors"
	"fmt"

	"github.com/Masterminds/semver/v3"

	"github.com/penstock-db/penstock/internal/distribution/index"
)

// Pin has nothing outside a range of versions take the place of an installed package; without a range, nothing but the
// version that is installed. It returns the range.
func (r *Registry) Pin(want index.Want) (string, error) {
	pin := want.Versions
	err := r.change(func(lock *Lock) error {
		locked, ok := lock.Plugins[want.Name]
		if !ok {
			return &UnknownPluginError{Name: want.Name, Dir: r.dir, Installed: lock.names()}
		}
		if !locked.packaged() {
			return fmt.Errorf("plugin %s is from no package, which have versions that can be compared", want.Name)
		}
		if pin == "" {
			pin = locked.Version
		}
		if wrong := (*PinnedError)(nil); errors.As(pinned(want.Name, pin, locked.Version), &wrong) {
			wrong.Installed = true
			return wrong
		}
		locked.Pin = pin
		lock.Plugins[want.Name] = locked
		return nil
	})
	return pin, err
}

// Unpin lets any version take the place of an installed package again.
func (r *Registry) Unpin(name string) error {
	return r.change(func(lock *Lock) error {
		locked, ok := lock.Plugins[name]
		if !ok {
			return &UnknownPluginError{Name: name, Dir: r.dir, Installed: lock.names()}
		}
		locked.Pin = ""
		lock.Plugins[name] = locked
		return nil
	})
}

// pinned fails with a *PinnedError where a version is outside a range; an empty one has all.
func pinned(name, pin, version string) error {
	if pin == "" {
		return nil
	}
	allowed, err := semver.NewConstraint(pin)
	if err != nil {
		return err
	}
	if v, err := semver.StrictNewVersion(version); err != nil || !allowed.Check(v) {
		return &PinnedError{Plugin: name, Pin: pin, Version: version}
	}
	return nil
}

// PinnedError is a version outside the range that a plugin is pinned to.
type PinnedError struct {
	Plugin, Pin, Version string
	Installed            bool // it is what is installed, and so cannot be pinned
}

func (e *PinnedError) Error() string {
	if e.Installed {
		return fmt.Sprintf("plugin %s %s is installed, which is not within %s: install one that is, and then pin it", e.Plugin,
			e.Version, e.Pin)
	}
	return fmt.Sprintf("plugin %s is pinned to %s, and this is %s: `penstock plugin pin %s --off` lets others in", e.Plugin, e.Pin,
		e.Version, e.Plugin)
}
