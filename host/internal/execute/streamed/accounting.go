package streamed

import (
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/schedule"
)

// account prepares to account for of what use the data of each iteration's chunks is; nil: that was not asked for.
func (e executor) account() *schedule.Accounting {
	if !e.Plan.Request.Accounting {
		return nil
	}
	return schedule.NewAccounting(e.Plan.Graph.Manifest().Vertices, report.MaxIterations)
}

// report puts what has been accounted for into the iterations' reports.
func (w *watch) report(a *schedule.Accounting) {
	if a == nil {
		return
	}
	lists := make([]schedule.Lists, len(w.Units))
	for i := range lists {
		lists[i].Rows, lists[i].Degrees = w.Lists(i)
	}
	for i, uses := range a.Uses(lists) {
		w.Progress.Iterations[i].Use = &report.UseReport{Use: schedule.Total(uses), Chunks: uses}
	}
}
