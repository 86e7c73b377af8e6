package open

import (
	"context"

	"github.com/penstock-db/penstock/internal/memory"
)

// hold takes what the run surely takes of this process from the context's account, before it is
// allocated: the vertex columns of all devices, and a copy of the results, 8 bytes a vertex
// and column. Chunks are not counted: they lie in files that are mapped, or are bounded by
// Request.DeviceMemory.
func (o *Opened) hold() error {
	account := memory.Of(o.ctx)
	if account == nil || o.Estimating {
		return nil
	}
	all := int64(o.occupied) + o.resultBytes()
	if err := account.Take(o.ctx, all); err != nil {
		return err
	}
	o.held = all
	return nil
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
