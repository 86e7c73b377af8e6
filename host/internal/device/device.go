// Package device finds the programs that a request names as devices, starts them, and has them compile a task.
//
//	names ──Finder──▶ launch.Spec ──Start──▶ process that has described itself ──Compile──▶ session with a plan ──Talk──▶ link.Stream
package device

import (
	"errors"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/plugins"
)

// Device is one of those that a run computes on, a process of its own. Most runs have one.
type Device struct {
	Spec    launch.Spec
	Name    string // as errors and reports call it; of several, with its place among them
	Several bool
	Process int // which it is of those that divide a procedure's workers, from 0
	Plugin  *launch.Plugin
	About   plugins.Description
	Budget  uint64 // its own
	Layout  plugins.Layout
	Share   *chunk.Interval // of the vertices; nil: all
	Linked  uint64          // vertices with an edge that it is given; 0: not counted
	Session plugins.Session
	Plan    plugins.Plan
	Stream  *link.Stream
	Spent   meter.Meter // of what the run's has in all

	ahead *launch.Ahead // may be it
	spare func() bool   // takes back that the end of the run's context kills the plugin
}

// named says which of several devices an error is of. What has been named already is another's, which
// has ended the run and this device's call.
func (d *Device) named(err error) error {
	var of *plugins.Error
	if d.Several && errors.As(err, &of) && (of.Device == "" || of.Device == d.Spec.Name || of.Device == d.About.Name) {
		of.Device = d.Name
	}
	return err
}

// title is what the device calls itself, as far as is known.
func (d *Device) title() string {
	if d.About.Name == "" {
		return d.Spec.Name
	}
	return d.About.Name
}

// digest is that of the plugin, also when it is named by its path.
func (d *Device) digest() (string, error) {
	if !d.Spec.Lasting() {
		return launch.Digest(d.Spec.Path)
	}
	return d.Plugin.Digest()
}

// Use has the device be a plugin that runs already.
func (d *Device) Use(plugin *launch.Plugin, about plugins.Description) {
	d.Plugin, d.About, d.Name = plugin, about, about.Name
}
