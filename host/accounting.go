package host

import (
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/schedule"
)

// startAccounting prepares for it, or says why there is none.
func (r *run) startAccounting() error {
	switch {
	case !r.req.Accounting:
		return nil
	case r.fit.resident:
		return &RequestError{"there is nothing to account for: all chunks fit the device together; give less --device-memory"}
	case !r.kernel.ActiveRows:
		return &RequestError{"there is nothing to account for: what this run sends does not depend on which lists have an active vertex; use schedule subway, with --synchronous if need be"}
	}
	r.accounting = schedule.NewAccounting(r.snap.Manifest().Vertices, report.MaxIterations)
	return nil
}

// reportUses puts what has been accounted for into the iterations' reports.
func (r *run) reportUses() {
	if r.accounting == nil {
		return
	}
	lists := make([]schedule.Lists, len(r.chunks))
	for i := range lists {
		lists[i].Rows, lists[i].Degrees = r.lists(i)
	}
	for i, uses := range r.accounting.Uses(lists) {
		r.perIteration[i].Use = &UseReport{Use: schedule.Total(uses), Chunks: uses}
	}
}
