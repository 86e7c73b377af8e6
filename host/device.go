package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/plugins"
)

// device is one of those that a run computes on, a process of its own. Most runs have one.
type device struct {
	spec    launch.Spec
	name    string // as errors and reports call it; of several, with its place among them
	several bool
	plugin  *launch.Plugin
	spare   func() bool // takes back that the end of the run's ctx kills the plugin
	about   plugins.Description
	layout  plugins.Layout
	share   *chunk.Interval // of the vertices; nil: all
	linked  uint64          // vertices with an edge that it is given; 0: nobody has counted
	session plugins.Session
	plan    plugins.Plan
	talk    *conversation
	orders  chan order               // what follows it in the chain; nil: it is the first, and is told at once
	relayed chan struct{}            // closed when there are no more
	lent    map[uint32]chan struct{} // chunks that the next one copies from here: closed once it has
	told    bool                     // why it does not copy from the one before, or the next from it
	spent   meter                    // of what the run's has in all

	// Of a split:
	budget uint64 // its own
	has    []int  // chunks
}

// findDevices finds the programs that Request.Device names.
func (r *run) findDevices() error {
	names, splits := splitNames(r.req.Device)
	if !splits {
		names = strings.Split(r.req.Device, ",")
	}
	for i, name := range names {
		spec, err := r.spec(name)
		if err != nil {
			return err
		}
		d := &device{spec: r.numbered(spec), name: spec.Name, several: len(names) > 1}
		if d.several {
			d.name = fmt.Sprintf("%s #%d", spec.Name, i+1)
		}
		r.devices = append(r.devices, d)
	}
	r.device = r.described() // until they tell another
	if splits {
		return r.newSplit()
	}
	return nil
}

// numbered tells a program which it is of those that run it.
func (r *run) numbered(spec launch.Spec) launch.Spec {
	number := 0
	for _, d := range r.devices {
		if d.spec.Path == spec.Path && slices.Equal(d.spec.Args, spec.Args) {
			number++
		}
	}
	if number > 0 {
		spec.Env = append(slices.Clone(spec.Env), fmt.Sprintf("%s=%d", plugins.NumberVariable, number))
	}
	return spec
}

// spec is how to start a device. Every name of a program passes here.
func (r *run) spec(name string) (launch.Spec, error) {
	if err := r.req.Allowed.check(name); err != nil {
		return launch.Spec{}, err
	}
	switch {
	case name == autoDevice || name == cpuDevice:
		return launch.Self()
	case strings.ContainsRune(name, filepath.Separator):
		path, err := filepath.Abs(name)
		return launch.Spec{Name: filepath.Base(path), Path: path}, err
	default:
		installed, err := r.installed()
		if err != nil {
			return launch.Spec{}, err
		}
		return installed.Resolve(name)
	}
}

// installed is the plugin directory, which an engine keeps open.
func (r *run) installed() (*registry.Registry, error) {
	opened, err := registry.Open(r.req.PluginDir)
	if err != nil || r.engine == nil {
		return opened, err
	}
	return r.engine.plugins(opened), nil
}

// named says which of several devices an error is of. What has been named already is another's, which
// has ended the run and this device's call.
func (d *device) named(err error) error {
	var of *plugins.Error
	if d.several && errors.As(err, &of) && (of.Device == "" || of.Device == d.spec.Name || of.Device == d.about.Name) {
		of.Device = d.name
	}
	return err
}

// described is what all devices are together: what each of them has, and the workers of all.
func (r *run) described() plugins.Description {
	all := r.devices[0].about
	names := []string{r.devices[0].title()}
	for _, d := range r.devices[1:] {
		names = append(names, d.title())
		all.Threads += d.about.Threads
		all.Memory = leastKnown(all.Memory, d.about.Memory)
		all.LinkBandwidth = leastKnown(all.LinkBandwidth, d.about.LinkBandwidth)
		all.MapsFiles = all.MapsFiles && d.about.MapsFiles
	}
	all.Name = strings.Join(names, ",")
	if r.split != nil {
		all.Name = strings.Join(names, "+")
	}
	return all
}

// title is what the device calls itself, as far as is known.
func (d *device) title() string {
	if d.about.Name == "" {
		return d.spec.Name
	}
	return d.about.Name
}

// leastKnown is the lesser of two amounts, of which 0 is none.
func leastKnown(a, b uint64) uint64 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// start sees to it that all devices run and have described themselves.
func (r *run) start(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, d := range r.devices {
		g.Go(func() error { return r.startOne(ctx, d) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	first := r.devices[0]
	r.device = r.described()
	r.warm.plugin, r.warm.device = first.plugin, first.about
	r.maps.Store(r.device.MapsFiles)
	var err error
	if r.budget, err = r.budgetOn(r.device); err != nil {
		return err
	}
	for _, d := range r.devices {
		if d.budget = r.budget; r.split != nil {
			d.budget, err = r.budgetOn(d.about)
		}
		if err != nil {
			return err
		}
	}
	for _, d := range r.devices {
		r.events.Launched(Launch{PID: d.plugin.PID(), Protocol: d.plugin.Protocol(), Device: d.about})
	}
	return nil
}

func (r *run) startOne(ctx context.Context, d *device) error {
	switch {
	case d.plugin == nil:
		return r.launch(ctx, d)
	case d.spare != nil: // it has been started by this run
		return nil
	}
	d.plugin.Redirect(r.req.Log)
	d.spare = context.AfterFunc(r.ctx, d.plugin.Kill)
	return nil
}

// launch starts a plugin and asks it to describe itself.
func (r *run) launch(ctx context.Context, d *device) error {
	var err error
	began := time.Now()
	if d.plugin, err = launch.Start(ctx, d.spec, launch.Options{Log: r.req.Log, Timeout: max(r.req.Timeout, launch.DefaultTimeout)}); err != nil {
		return d.named(err)
	}
	d.spare = context.AfterFunc(r.ctx, d.plugin.Kill)
	err = r.call(ctx, d, func(ctx context.Context) error {
		d.about, err = d.plugin.Device.Describe(ctx)
		return err
	})
	if !d.several {
		r.launching = time.Since(began)
	}
	if !d.several && err == nil {
		d.name = d.about.Name
	}
	return err
}

// joinPlans puts the devices' answers together as one device's: each must have room for the most
// that one of them takes, and all must want the same chunks.
func (r *run) joinPlans() error {
	first := r.devices[0]
	r.kernel = first.plan
	for _, d := range r.devices {
		switch plan := d.plan; {
		case d.several && !plan.Shares:
			return r.cannotShare(d.name + " computes with all vertices or none")
		case plan.ActiveRows != r.kernel.ActiveRows || !slices.Equal(plan.Directions, r.kernel.Directions):
			return r.cannotShare(fmt.Sprintf("%s and %s go through the edges in different ways", first.name, d.name))
		case plan.Kernel != first.plan.Kernel:
			r.kernel.Kernel += "; " + d.name + ": " + plan.Kernel
		}
		r.kernel.Fixed = max(r.kernel.Fixed, d.plan.Fixed)
		r.kernel.Restores = r.kernel.Restores && d.plan.Restores
	}
	return nil
}

// cannotShare is the refusal of several devices.
func (r *run) cannotShare(reason string) error {
	return &DevicesError{Devices: r.req.Device, Algorithm: r.req.name(), Reason: reason}
}

// several tells whether more than one device was asked for.
func (r Request) several() bool {
	_, splits := splitNames(r.Device)
	return splits || strings.Contains(r.Device, ",")
}
