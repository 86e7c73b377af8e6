package train

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/plugins"
)

// resident is a network of which everything stays on one device: lists, rows, and what passes leave.
type resident struct{ *base }

// compileResident has the device compile the network with everything in its memory, if there is room.
func (o *opening) compileResident() error {
	o.at = o.Network.place(o.vertices, o.slot)
	if err := o.room.take(o.ctx, o.Snap, o.at.size); err != nil {
		return err
	}
	if err := supply.FillInputs(o.ctx, o.Snap, o.room.Arena, o.at.layout); err != nil {
		return err
	}
	if err := o.keptDegrees(); err != nil {
		return err
	}
	if err := o.compile(); err != nil {
		return err
	}
	return o.checkRoom()
}

// openResident gives the device rows and lists.
func openResident(o *opening) (Passer, error) {
	if err := o.Network.fill(o.ctx, o.Snap, o.room.Arena, o.at); err != nil {
		return nil, err
	}
	o.talk(o.only())
	return &resident{o.base}, o.give()
}

// Pass has the device compute a pass.
func (r *resident) Pass(_ context.Context, number int, dropout dataflow.Dropout) error {
	_, err := r.only().Stream.Do(plugins.Command{Op: plugins.Pass, Pass: uint32(number), Seed: dropout.Seed,
		Epoch: uint32(dropout.Epoch)}, nil)
	return err
}

// Result is what a pass has left of a root.
func (r *resident) Result(number int, root *dataflow.Value) []float32 {
	return r.result(number, root, everything)
}

// everything has numbers in the arena.
func everything(*dataflow.Value) bool { return true }

// Write gives an input other rows.
func (r *resident) Write(name string, rows []float32) error { return r.write(name, rows) }

// Way says nothing: it is what one expects.
func (r *resident) Way() Way { return Way{} }

// Close does nothing: all lies in the arena.
func (r *resident) Close() {}

// compile has the device make the network ready.
func (o *opening) compile() (err error) {
	if err := o.bind(); err != nil {
		return err
	}
	o.Plan, err = o.group.Compile(o.job(o.only()), plugins.Task{Network: o.at.devices[0]}, []plugins.Layout{o.at.layout})
	return err
}

// checkRoom refuses chunks for which the device has no room beside all else.
func (o *opening) checkRoom() error {
	largest := uint64(0)
	for _, each := range o.wanted() {
		largest = max(largest, uint64(each.Size))
	}
	if d := o.only(); d.Budget > 0 && o.Plan.Fixed+largest > d.Budget {
		err := plugins.Errorf(plugins.KindBudget, "the task and its largest chunk need %d bytes: have %d",
			o.Plan.Fixed+largest, d.Budget)
		err.Device = d.Name
		return err
	}
	o.largest = largest
	return nil
}

// wanted are the chunks that the device's plan asks for.
func (o *opening) wanted() (wanted []plan.Chunk) {
	for _, d := range o.Plan.Directions {
		if d == chunk.Both {
			d = chunk.Out
		}
		wanted = append(wanted, o.chunks[d]...)
	}
	return wanted
}

// give gives the device the lists that its plan asks for, chunk by chunk.
func (o *opening) give() error {
	if _, err := o.only().Stream.Do(plugins.Command{Op: plugins.Init}, nil); err != nil {
		return err
	}
	wanted, total, done := o.wanted(), uint64(0), uint64(0)
	for _, each := range wanted {
		total += uint64(each.Size)
	}
	from := supply.New(o.Snap, o.room.Cache, wanted, o.computation.EdgeNames, o.Rec)
	defer from.Release()
	for i := range wanted {
		at, err := from.ReadTo(o.ctx, i, o.at.slot)
		if err == nil && o.Network.HeldOut != nil {
			at, err = o.keep(at)
		}
		if err != nil {
			return err
		}
		o.Rec.Meter.Sent(at.Length, 0)
		for _, command := range []plugins.Command{{Op: plugins.Upload, At: at}, {Op: plugins.Step}, {Op: plugins.Evict}} {
			command.Chunk = uint32(i)
			if _, err := o.only().Stream.Do(command, nil); err != nil {
				return err
			}
		}
		done += uint64(wanted[i].Size)
		o.events.Uploaded(done, total)
	}
	_, err := o.only().Stream.Do(plugins.Command{Op: plugins.Apply}, nil)
	return err
}
