package train

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
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
	largest  uint64 // bytes of a chunk that passes by on the first device, beside what that holds
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
	if b.parameters, err = b.room.Arena.Float32s(b.at.network.Parameters); err == nil {
		b.results, err = resultsIn(b.room.Arena, b.at.network)
	}
	return err
}

// resultsIn finds what the passes of a network leave.
func resultsIn(memory *arena.Arena, network *plugins.Network) (results [][]float32, err error) {
	for _, p := range network.Passes {
		result, err := memory.Float32s(p.At)
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
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

// result is what a pass over the whole graph has left of a root among those that have numbers in the arena.
func (b *base) result(pass int, root *dataflow.Value, has func(*dataflow.Value) bool) []float32 {
	return resultAmong(b.at.network.Passes[pass].Roots, root, b.results[pass], b.vertices, has)
}

// resultAmong finds the numbers of a root among those of the roots that have some, of so many vertices.
func resultAmong(roots []*dataflow.Value, root *dataflow.Value, all []float32, vertices uint64,
	has func(*dataflow.Value) bool) []float32 {
	for _, v := range roots {
		if !has(v) {
			continue
		}
		size := numbers(v, vertices)
		if v == root {
			return all[:size]
		}
		all = all[size:]
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
