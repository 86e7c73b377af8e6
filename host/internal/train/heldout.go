package train

import (
	"fmt"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins/arena"
)

// keep takes the edges that are held out from the chunk at a place in the arena, and tells what it takes then.
func (o *opening) keep(at arena.Range) (arena.Range, error) {
	bytes, err := o.room.Arena.Bytes(at)
	if err != nil {
		return at, err
	}
	whole, err := chunk.Open(bytes)
	if err != nil {
		return at, err
	}
	defer whole.Release()
	cut, err := o.Network.HeldOut.Cut(whole)
	if err != nil {
		return at, err
	}
	defer cut.Release()
	if size := cut.EncodedSize(); size > len(bytes) {
		return at, fmt.Errorf("a chunk of %d bytes takes %d without the edges that are held out", len(bytes), size)
	}
	encoded := chunk.Aligned(cut.EncodedSize())
	n, err := cut.EncodeTo(encoded)
	copy(bytes, encoded[:n])
	at.Length = uint64(n)
	return at, err
}

// keptDegrees makes the degrees in the arena those of lists without what is held out.
func (o *opening) keptDegrees() error {
	if o.Network.HeldOut == nil {
		return nil
	}
	for name, d := range map[string]chunk.Direction{plan.InputOutDegree: chunk.Out, plan.InputInDegree: chunk.In} {
		for _, column := range o.at.layout.Columns {
			if column.Name != name {
				continue
			}
			to, err := o.room.Arena.Int64s(column.Range)
			if err == nil {
				err = o.fillDegrees(d, to)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// fillDegrees writes the length of every vertex's list, without what is held out.
func (o *opening) fillDegrees(d chunk.Direction, to []int64) error {
	if o.Network.HeldOut == nil {
		return o.Snap.FillDegrees(o.ctx, d, to)
	}
	clear(to)
	for view, err := range o.Snap.EachChunk(o.ctx, d) {
		if err != nil {
			return err
		}
		for v, list := range view.Lists() {
			to[v] += int64(o.Network.HeldOut.Kept(view.Meta(), uint32(v), list))
		}
	}
	return nil
}
