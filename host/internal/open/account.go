package open

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/memory"
)

// hold takes what the run takes of this process from the context's account, before it is allocated: the vertex columns
// of all devices, and a copy of the results, 8 bytes a vertex and column. Chunks are not counted: they lie in files
// that are mapped, or are bounded by Request.DeviceMemory. If there could never be so much, the run may still be one
// whose state is cut into intervals: HoldsFor tells when the plan is known.
func (o *Opened) hold() error {
	account := memory.Of(o.ctx)
	if account == nil || o.Estimating {
		return nil
	}
	all := int64(o.occupied) + o.resultBytes()
	err := account.Take(o.ctx, all)
	var full *memory.FullError
	if errors.As(err, &full) && full.Never && !o.Group.Parts && !o.Group.Crew() {
		o.tooMuch, all = err, max(o.inputBytes(), o.resultBytes()) // inputs are given up before results are copied
		err = account.Take(o.ctx, all)
	}
	if err != nil {
		return err
	}
	o.held = all
	return nil
}

// HoldsFor fails if what the run holds is not enough for a plan. State in intervals lies in a file, and what the device
// has of it is bounded by Request.DeviceMemory.
func (o *Opened) HoldsFor(p *plan.Plan) error {
	if p.Intervals != nil {
		return nil
	}
	return o.tooMuch
}

// inputBytes is what the columns take that devices only read. They are filled before there is a plan.
func (o *Opened) inputBytes() (bytes int64) {
	first, _ := o.layout(0)
	for _, c := range first.Columns[:o.Of.Inputs()] {
		bytes += int64(c.Range.Length)
	}
	return bytes
}

func (o *Opened) resultBytes() int64 {
	return o.Of.ResultBytes(o.Snap.Manifest().Vertices, len(o.ids))
}

// LetGo gives back to the account of ctx what the run holds, but for the results if there are any, and tells what these
// hold.
func (o *Opened) LetGo(ctx context.Context, results bool) (kept int64) {
	if o.held == 0 {
		return 0
	}
	if results {
		kept = o.resultBytes()
	}
	memory.Of(ctx).Give(o.held - kept)
	o.held = 0
	return kept
}
