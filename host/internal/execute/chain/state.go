package chain

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// state is what devices know of vertices, each in columns of its own.
type state struct {
	plan   *plan.Plan
	links  []*device.Device
	memory *arena.Arena // that they share
}

// Shares are those of the devices; of one there are none.
func (s *state) Shares() (all []chunk.Interval) {
	for _, d := range s.links {
		if d.Share != nil {
			all = append(all, *d.Share)
		}
	}
	return all
}

// ownAndOthers are what a device writes, and the same of all others.
func (s *state) ownAndOthers(i int) (own []column, others [][]column, err error) {
	for k, d := range s.links {
		columns, err := s.columns(d.Layout)
		if err != nil {
			return nil, nil, err
		}
		if k == i {
			own = columns
		} else {
			others = append(others, columns)
		}
	}
	return own, others, nil
}

// column is one that devices write, as one of them has it.
type column struct {
	bytes []byte
	width uint64
}

// of is what it has of so many vertices, from v on.
func (c column) of(v, count uint64) []byte { return c.bytes[v*c.width:][:count*c.width] }

// columns are those that a device writes.
func (s *state) columns(of plugins.Layout) (all []column, err error) {
	for i := s.computed(); i < len(s.plan.Columns); i++ {
		b, err := s.memory.Bytes(of.Columns[i].Range)
		if err != nil {
			return nil, err
		}
		all = append(all, column{b, plan.Width(s.plan.Columns[i].Type)})
	}
	return all, nil
}

// unlikeBlock is how many vertices are compared at once.
const unlikeBlock = 64

// unlike are the vertices of an interval that two devices know otherwise.
func unlike(a, b []column, of chunk.Interval) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for base := of.Base; base < of.End(); base += unlikeBlock {
			count := min(unlikeBlock, of.End()-base)
			if same(a, b, base, count) {
				continue
			}
			for v := base; v < base+count; v++ {
				if !same(a, b, v, 1) && !yield(v) {
					return
				}
			}
		}
	}
}

// same tells whether two devices know so many vertices alike, from v on.
func same(a, b []column, v, count uint64) bool {
	for i := range a {
		if !bytes.Equal(a[i].of(v, count), b[i].of(v, count)) {
			return false
		}
	}
	return true
}

// computed is the first column that devices write.
func (s *state) computed() int { return len(s.plan.Columns) - len(s.plan.Task.Program.State) }

// copyVertices copies an interval of the columns from `first` on, and of the active set, from one device's
// to another's.
func (s *state) copyVertices(from, to *device.Device, first int, of chunk.Interval) (bytes uint64, err error) {
	if bytes, err = s.copyColumns(from, to, first, of); err != nil {
		return bytes, err
	}
	source, err := s.memory.Uint64s(from.Layout.Active)
	if err != nil {
		return bytes, err
	}
	target, err := s.memory.Uint64s(to.Layout.Active)
	if err != nil {
		return bytes, err
	}
	words := (of.End() + 63) / 64
	return bytes + 8*uint64(copy(target[of.Base/64:words], source[of.Base/64:words])), nil
}

// copyColumns copies an interval of the columns from `first` on from one device's to another's.
func (s *state) copyColumns(from, to *device.Device, first int, of chunk.Interval) (bytes uint64, err error) {
	for i := first; i < len(s.plan.Columns); i++ {
		w := plan.Width(s.plan.Columns[i].Type)
		source, err := s.memory.Bytes(from.Layout.Columns[i].Range)
		if err != nil {
			return bytes, err
		}
		target, err := s.memory.Bytes(to.Layout.Columns[i].Range)
		if err != nil {
			return bytes, err
		}
		bytes += uint64(copy(target[of.Base*w:of.End()*w], source[of.Base*w:of.End()*w]))
	}
	return bytes, nil
}

// float is what it has of a vertex, of doubles.
func (c column) float(v uint64) float64 {
	return math.Float64frombits(binary.NativeEndian.Uint64(c.of(v, 1)))
}

func (c column) setFloat(v uint64, x float64) {
	binary.NativeEndian.PutUint64(c.of(v, 1), math.Float64bits(x))
}
