// Package partition gives each of two devices a part of the edges: the second those of a dense core (package core), the
// first the rest. All chunks stay on the devices.
//
//	both devices ──compile──▶ what they take ──survey of the edges──▶ cores ──forecast──▶ the best ──▶ Split and Plan
//
// Should no core be worth a second device, the first is left alone.
package partition

import (
	"slices"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/choose"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// Split is how the edges are divided.
type Split struct {
	Rest, Dense *device.Device
	Places      Places
	Set         core.Set // the vertices of the core that have an edge there; empty: there is no core
	Report      report.CoreReport

	known  choose.Known
	agreed time.Time // when both devices ran; less what it took to measure them
}

// Places are where in the arena the devices have their columns. Each device has columns of its own to write, but for
// the inputs, which neither writes. No column is ever copied: each device is told where the other's are.
type Places struct {
	Layout    plugins.Layout         // the first device's
	Own       []plugins.VertexColumn // the dense device's, but for the inputs, where it settles
	OwnActive arena.Range
	Among     arena.Range // the core's set, for the devices
	Everyone  arena.Range // the set of all vertices
	Gathered  arena.Range // accumulators
}

// Place lays everything out from an offset of the arena, and tells where it ends.
func Place(c plan.Computation, vertices, from uint64) (s Places, end uint64) {
	p := plan.Placer{Used: from}
	s.Layout = p.Layout(c.Columns, vertices)
	own := p.Layout(c.Columns[c.Inputs():], vertices)
	s.Own, s.OwnActive = own.Columns, own.Active
	s.Among, s.Everyone = p.Place(plan.BitmapBytes(vertices)), p.Place(plan.BitmapBytes(vertices))
	s.Gathered = p.Place(vertices * 8)
	return s, p.Used
}

// mark puts the sets into the arena.
func (s *Split) mark(memory *arena.Arena, vertices uint64) error {
	all := chunk.Interval{Count: vertices}
	for at, set := range map[arena.Range]core.Set{s.Places.Among: s.Set, s.Places.Everyone: core.Window(all.Count, all)} {
		words, err := memory.Uint64s(at)
		if err != nil {
			return err
		}
		copy(words, set)
	}
	return nil
}

// Wants tells whether a device's plan is for chunks such as this.
func Wants(m *store.Manifest, d *device.Device, c plan.Chunk) bool {
	return !m.Directed || slices.Contains(d.Plan.Directions, c.Info.Direction)
}
