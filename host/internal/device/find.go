package device

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/plugins"
)

// Finder finds the programs that a request may name.
type Finder struct {
	Allowed    plan.Devices
	Unconfined []string      // names of those that run without walls
	Ahead      *launch.Ahead // has been started already; nil: nothing has
	// Installed opens the plugin directory.
	Installed func() (*registry.Registry, error)
}

// Spec is how to start a device. Every name of a program passes here.
func (f Finder) Spec(name string) (launch.Spec, error) {
	if err := f.Allowed.Check(name); err != nil {
		return launch.Spec{}, err
	}
	spec, err := f.find(name)
	if slices.Contains(f.Unconfined, name) {
		spec.Unconfined = "it was asked for"
	}
	return spec, err
}

func (f Finder) find(name string) (launch.Spec, error) {
	switch {
	case name == plan.AutoDevice || name == plan.CPUDevice:
		return launch.Self()
	case strings.ContainsRune(name, filepath.Separator):
		path, err := filepath.Abs(name)
		return launch.Spec{Name: filepath.Base(path), Path: path, Grants: confine.AnyHardware()}, err
	default:
		installed, err := f.Installed()
		if err != nil {
			return launch.Spec{}, err
		}
		return installed.Resolve(name)
	}
}

// Find finds the programs that Request.Device names: in a chain, or, where parts is true, the two that have a part of
// the edges each.
func (f Finder) Find(names string) (all []*Device, parts bool, err error) {
	each, parts := plan.SplitNames(names)
	if !parts {
		each = strings.Split(names, ",")
	}
	for i, name := range each {
		spec, err := f.Spec(name)
		if err != nil {
			return nil, parts, err
		}
		d := &Device{Spec: numbered(all, spec), Name: spec.Name, Several: len(each) > 1, ahead: f.Ahead}
		if d.Several {
			d.Name = fmt.Sprintf("%s #%d", spec.Name, i+1)
		}
		all = append(all, d)
	}
	return all, parts, nil
}

// Processes are so many of a device, which divide the workers of a procedure; up to 1: itself.
func (d *Device) Processes(of int) []*Device {
	if of <= 1 {
		return []*Device{d}
	}
	all := make([]*Device, of)
	for i := range all {
		all[i] = &Device{Spec: numbered(all[:i], d.Spec), Name: fmt.Sprintf("%s #%d", d.Spec.Name, i+1), Several: true,
			Process: i, ahead: d.ahead}
	}
	return all
}

// numbered tells a program which it is of those that run it.
func numbered(devices []*Device, spec launch.Spec) launch.Spec {
	number := 0
	for _, d := range devices {
		if d.Spec.Path == spec.Path && slices.Equal(d.Spec.Args, spec.Args) {
			number++
		}
	}
	if number > 0 {
		spec.Env = append(slices.Clone(spec.Env), fmt.Sprintf("%s=%d", plugins.NumberVariable, number))
	}
	return spec
}
