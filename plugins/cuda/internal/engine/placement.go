package engine

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/columns"
	"github.com/penstock-db/penstock/plugins/cuda/internal/compile"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// placement is a program's memory on the card, beside chunks.
type placement struct {
	streams *stream.Streams
	program *compile.Program
	slab    driver.Pointer
	kernel  kernels.State // what the template's kernels are told
	mirror  []byte        // pinned: the active set on its way to the arena
}

// prepare takes it, and tells the kernels what they need to know.
func (m *placement) prepare(ctx context.Context) (err error) {
	p, l, q := m.program, m.program.Layout, m.streams
	if m.mirror, err = driver.AllocPinned(8 * uint64(max(1, len(p.Active)))); err != nil {
		return err
	}
	if m.slab, err = q.Computing.Alloc(l.Bytes); err != nil {
		return err
	}
	m.kernel = kernels.State{Program: m.at(l.Program), Vertices: uint64(p.N), Scratch: m.at(l.Scratch)}
	described := p.Describe(m.slab)
	if err = q.CopyIn(ctx, q.Computing, m.kernel.Program, memory.BytesOf(&described)); err != nil {
		return err
	}
	if err = q.CopyIn(ctx, q.Computing, m.at(l.Constants), memory.Bytes(p.Lowered.Constants)); err != nil {
		return err
	}
	if err = q.Computing.Fill8(m.at(l.Counters), 0, uint64(len(memory.BytesOf(&kernels.Counters{})))); err != nil {
		return err
	}
	return p.Template.Begin(q.Computing, m.kernel, p.Edges)
}

// at is the address of an offset in the slab.
func (m *placement) at(offset uint64) driver.Pointer { return m.slab + driver.Pointer(offset) }

// copyIn copies columns to the card.
func (m *placement) copyIn(ctx context.Context, all []columns.Column) error {
	for _, c := range all {
		if err := m.streams.CopyIn(ctx, m.streams.Computing, m.at(c.At), c.Bytes); err != nil {
			return err
		}
	}
	return nil
}

// copyOut copies columns to the arena.
func (m *placement) copyOut(ctx context.Context, all []columns.Column) error {
	for _, c := range all {
		if err := m.streams.CopyOut(ctx, m.streams.Computing, c.Bytes, m.at(c.At)); err != nil {
			return err
		}
	}
	return nil
}

// copyCounters has the card's counters copied to a letter.
func (m *placement) copyCounters(to *stream.Letter) error {
	return m.streams.Computing.CopyOut(memory.BytesOf(&to.Counters), m.at(m.program.Layout.Counters))
}

// copyAccumulators copies the accumulators here.
func (m *placement) copyAccumulators(ctx context.Context) ([]uint64, error) {
	acc := make([]uint64, m.program.N)
	return acc, m.streams.CopyOut(ctx, m.streams.Computing, memory.Bytes(acc), m.at(m.program.Layout.Acc))
}

// free gives it back, and what was loaded for the program.
func (m *placement) free() error {
	errs := []error{m.streams.Computing.Free(m.slab)} // of none it does nothing
	if m.mirror != nil {
		errs = append(errs, driver.FreePinned(m.mirror))
	}
	if t := m.program.Template; t != nil {
		errs = append(errs, t.Unload())
	}
	return errors.Join(errs...)
}
