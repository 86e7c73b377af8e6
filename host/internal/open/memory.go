package open

import (
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/partition"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/pool"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// occupy finds a warm device or makes the arena for one, and lays out the vertex columns.
func (o *Opened) occupy(d *device.Device) error {
	_, o.occupied = o.layout(0)
	o.takeWarm(d)
	if err := o.chooseLanes(d); err != nil {
		return err
	}
	if err := o.hold(); err != nil {
		return err
	}
	if o.Device == nil {
		if err := o.createMemory(d); err != nil {
			return err
		}
	}
	maps := arena.CanMapFiles && o.Group.BuiltIn() // the built-in device is of this program, and known before it says so
	if o.Device.Plugin != nil {
		o.Warm = true
		d.Use(o.Device.Plugin, o.Device.About)
	}
	if d.Plugin != nil {
		maps = d.About.MapsFiles
	}
	o.Device.Cache.SetMapped(maps)
	return o.clearColumns()
}

// layout lays out the vertex columns of all devices from an offset of the arena, and tells where they end. The first
// device's are returned.
func (o *Opened) layout(from uint64) (first plugins.Layout, end uint64) {
	vertices := o.Snap.Manifest().Vertices
	if o.Group.Parts {
		places, end := partition.Place(o.Of, vertices, from)
		return places.Layout, end
	}
	all, end := o.Of.FromSources(o.ids).Layouts(vertices, o.Group.Apart(), from)
	return all[0], end
}

// takeWarm asks the pool for a device of an earlier run. Those that it keeps for others
// end unless the budget has room for them beside this run.
func (o *Opened) takeWarm(d *device.Device) {
	if o.Pool == nil {
		return
	}
	// A program that is named by its path may be another one by the time of the next run.
	if o.lasting = d.Spec.Lasting() && len(o.Group.Devices) == 1; o.lasting {
		o.Device = o.Pool.Take(o.key(d))
	}
	o.dropTooSmall()
	have := o.expectedBudget()
	o.Pool.MakeRoom(min(o.occupied+plan.GraphBytes(o.Snap), have), have)
}

func (o *Opened) key(d *device.Device) pool.Key {
	return pool.KeyOf(o.Snap.Manifest(), o.Of.EdgeNames, d.Spec)
}

// dropTooSmall ends a warm device whose arena has no room for the vertex columns.
func (o *Opened) dropTooSmall() {
	if o.Device != nil && o.Device.Cache.Layout.Columns+o.occupied > o.Device.Cache.Arena.Size() {
		o.Device.Close()
		o.Device = nil
	}
}

// chooseLanes finds out how many of several sources the device would take at once, each with state columns of its own.
// One that is not running yet is started, since the vertex columns go by its answer; the built-in one is known to have
// no lanes.
func (o *Opened) chooseLanes(d *device.Device) error {
	sources := o.Of.Request.Sources
	if len(sources) < 2 || len(o.Group.Devices) > 1 || d.Spec.BuiltIn() || o.Of.Request.Resume {
		return nil
	}
	if o.Device != nil {
		d.About = o.Device.About
	} else if err := o.Group.Launch(o.ctx, d); err != nil {
		return err
	}
	if lanes := min(d.About.Lanes, len(sources)); lanes > 1 {
		for _, source := range sources[:lanes] {
			id, err := plan.VertexID(o.ctx, o.Snap, source)
			if err != nil {
				return err
			}
			o.ids = append(o.ids, id)
		}
	}
	_, o.occupied = o.layout(0)
	o.dropTooSmall()
	return nil
}

// createMemory makes an arena. Memory that is not used later is never touched, and costs nothing.
func (o *Opened) createMemory(d *device.Device) error {
	layout, size, err := o.Of.Arena(o.Snap, o.occupied, o.Group.Parts, o.chained())
	if err != nil {
		return err
	}
	cache, err := supply.NewCache(o.Snap, layout, size)
	if err != nil {
		return err
	}
	o.Device = &pool.Device{Key: o.key(d), Cache: cache}
	return nil
}

// chained is how many devices make a chain.
func (o *Opened) chained() int {
	if o.Group.Parts {
		return 1
	}
	return o.Group.Apart()
}

// clearColumns makes the vertex columns zero, as they are in a new arena.
func (o *Opened) clearColumns() error {
	if o.Device.Plugin == nil {
		return nil
	}
	bytes, err := o.Device.Cache.Arena.Bytes(arena.Range{Offset: o.Device.Cache.Layout.Columns, Length: o.occupied})
	clear(bytes)
	return err
}
