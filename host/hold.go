package host

import "github.com/penstock-db/penstock/internal/memory"

// hold takes what the run surely takes of this process from the context's account, before it is
// allocated: the vertex columns of all devices, and a copy of the results, 8 bytes a vertex
// and column. Chunks are not counted: they lie in files that are mapped, or are bounded by
// Request.DeviceMemory.
func (r *run) hold() error {
	account := memory.Of(r.ctx)
	if account == nil || r.estimating {
		return nil
	}
	columns, results := int64(r.occupied), r.resultBytes()
	if err := account.Take(r.ctx, columns+results); err != nil {
		return err
	}
	r.held = columns + results
	return nil
}

func (r *run) resultBytes() int64 {
	return 8 * int64(r.snap.Manifest().Vertices) * int64(len(r.results)*max(1, r.lanes))
}

// letGo gives back what the run holds, but for the results if there are any.
func (r *run) letGo(result *Result) {
	if r.held == 0 {
		return
	}
	kept := int64(0)
	if result != nil {
		kept = r.resultBytes()
		result.Held = kept
	}
	memory.Of(r.parent).Give(r.held - kept)
	r.held = 0
}
