package train

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/plugins"
)

// base is what every way of computing passes stands on: devices, the memory that they share with the host, and where
// the numbers of a network lie in it.
type base struct {
	Plan plugins.Plan
	Rec  *meter.Recorder

	ctx      context.Context
	fail     context.CancelCauseFunc
	group    *device.Group
	vertices uint64
	room     room
	at       places
	// What lies there.
	parameters []float32
	results    [][]float32 // of each pass
}

// only is the device where there is one.
func (b *base) only() *device.Device { return b.group.Devices[0] }

// bind finds parameters and results in the arena.
func (b *base) bind() (err error) {
	b.results = nil
	if b.parameters, err = b.room.Arena.Float32s(b.at.network.Parameters); err != nil {
		return err
	}
	for _, p := range b.at.network.Passes {
		result, err := b.room.Arena.Float32s(p.At)
		if err != nil {
			return err
		}
		b.results = append(b.results, result)
	}
	return nil
}

// Of is the numbers of a parameter, which may be changed between passes.
func (b *base) Of(parameter *dataflow.Value) []float32 {
	at := uint64(0)
	for _, v := range b.at.network.Values {
		if v.Op != dataflow.Parameter {
			continue
		}
		size := numbers(v, b.vertices)
		if v == parameter {
			return b.parameters[at : at+size]
		}
		at += size
	}
	return nil
}

// result is what a pass over so many vertices has left of a root among those that have numbers in the arena.
func (b *base) result(pass int, root *dataflow.Value, vertices uint64, has func(*dataflow.Value) bool) []float32 {
	at := uint64(0)
	for _, v := range b.at.network.Passes[pass].Roots {
		if !has(v) {
			continue
		}
		size := numbers(v, vertices)
		if v == root {
			return b.results[pass][at : at+size]
		}
		at += size
	}
	return nil
}

// write gives an input in the arena other rows.
func (b *base) write(name string, rows []float32) error {
	for _, in := range b.at.network.Inputs {
		if in.Name == name {
			to, err := b.room.Arena.Float32s(in.Numbers)
			copy(to, rows)
			return err
		}
	}
	return nil // no pass reads it
}

// end waits until the devices have ended.
func (b *base) end() {
	b.fail(nil)
	if b.group == nil {
		return
	}
	for _, d := range b.group.Devices {
		if d.Stream != nil {
			d.Stream.Wait()
		}
	}
}
