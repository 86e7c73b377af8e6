package host

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/store"
)

// fromSources computes what req asks for from each of its sources: run after run, on a device that stays warm, each as
// many at once as the device takes. All results are held at once, 8 bytes a vertex and source, which is no more than
// half of the machine's memory.
func (e *Engine) fromSources(ctx context.Context, snap *store.Snapshot, req Request, events Events) (*Result, error) {
	if err := e.checkSources(ctx, snap, req); err != nil {
		return nil, fmt.Errorf("%s on graph %s: %w", req.Title(), snap.Manifest().Graph, err)
	}
	var all *Result
	sources := req.Sources
	for rest := sources; len(rest) > 0; {
		req.Sources = rest
		some, err := e.restart(ctx, snap, req, events)
		if err != nil {
			all.Drop(ctx)
			return nil, err
		}
		rest = rest[len(some.Report.Sources):]
		if some.Report.Choice != nil {
			req.Device = some.Report.Choice.Device // once for all
		}
		all = all.FollowedBy(some)
	}
	all.Report.Parameters = maps.Clone(all.Report.Parameters)
	delete(all.Report.Parameters, plan.SourceName)
	all.Report.Parameters["sources"] = strings.Join(sources, ",")
	return all, nil
}

// checkSources refuses what would fail only when its turn came.
func (e *Engine) checkSources(ctx context.Context, snap *store.Snapshot, req Request) error {
	if need, have := 8*snap.Manifest().Vertices*uint64(len(req.Sources)), e.memory/2; e.memory > 0 && need > have {
		return &RequestError{Reason: fmt.Sprintf(
			"the results from %d sources take %d bytes, and half of this machine's memory is %d: ask for %d sources at a time",
			len(req.Sources), need, have, max(1, uint64(len(req.Sources))*have/need))}
	}
	named := make(map[string]bool, len(req.Sources))
	for _, source := range req.Sources {
		if named[source] {
			return &RequestError{Reason: fmt.Sprintf("sources: vertex %s is named twice", source)}
		}
		named[source] = true
		if _, err := snap.Vertex(ctx, source); err != nil {
			return &algorithms.ParamError{Algorithm: req.Title(), Param: "sources", Value: source,
				Message: "there is no such vertex", Err: err}
		}
	}
	return nil
}
