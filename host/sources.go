package host

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/store"
)

// sourceName is what the constant is called that a run from several sources changes.
const sourceName = "source"

// fromSources computes what req asks for from each of its sources: run after run, on a device
// that stays warm, each as many at once as the device takes (lanes.go). All results are held at once, 8 bytes a vertex and source, which is no more than
// half of the machine's memory.
func (e *Engine) fromSources(ctx context.Context, snap *store.Snapshot, req Request, events Events) (*Result, error) {
	if err := e.checkSources(ctx, snap, req); err != nil {
		return nil, fmt.Errorf("%s on graph %s: %w", req.name(), snap.Manifest().Graph, err)
	}
	var all *Result
	sources := req.Sources
	for rest := sources; len(rest) > 0; {
		req.Sources = rest
		some, err := e.tryAgain(ctx, snap, req, events)
		if err != nil {
			all.drop(ctx)
			return nil, err
		}
		rest = rest[len(some.Report.Sources):]
		if some.Report.Choice != nil {
			req.Device = some.Report.Choice.Device // once for all
		}
		all = all.followedBy(some)
	}
	all.Report.Parameters = maps.Clone(all.Report.Parameters)
	delete(all.Report.Parameters, sourceName)
	all.Report.Parameters["sources"] = strings.Join(sources, ",")
	return all, nil
}

// checkSources refuses what would fail only when its turn came.
func (e *Engine) checkSources(ctx context.Context, snap *store.Snapshot, req Request) error {
	if need, have := 8*snap.Manifest().Vertices*uint64(len(req.Sources)), e.memory/2; e.memory > 0 && need > have {
		return &RequestError{fmt.Sprintf("the results from %d sources take %d bytes, and half of this machine's memory is %d: ask for %d sources at a time",
			len(req.Sources), need, have, max(1, uint64(len(req.Sources))*have/need))}
	}
	named := make(map[string]bool, len(req.Sources))
	for _, source := range req.Sources {
		if named[source] {
			return &RequestError{fmt.Sprintf("sources: vertex %s is named twice", source)}
		}
		named[source] = true
		if _, err := snap.Vertex(ctx, source); err != nil {
			return &algorithms.ParamError{Algorithm: req.name(), Param: "sources", Value: source, Message: "there is no such vertex", Err: err}
		}
	}
	return nil
}

// withSource is r from the first of its sources, if it has any.
func (r Request) withSource() (Request, error) {
	if len(r.Sources) == 0 {
		return r, nil
	}
	if _, given := r.Params[sourceName]; given {
		return r, &RequestError{"give sources, or the parameter source, not both"}
	}
	r.Params = maps.Clone(r.Params)
	if r.Params == nil {
		r.Params = map[string]string{}
	}
	r.Params[sourceName] = r.Sources[0]
	return r, nil
}

// planSources says which sources the run sees to: the first.
func (r *run) planSources() error {
	if len(r.req.Sources) > 0 && r.task.Program == nil {
		return &RequestError{r.req.name() + " is a procedure and goes from all its sources at once: name them in its parameter source, with a comma in between"}
	}
	r.sources = r.req.Sources[:min(1, len(r.req.Sources))]
	return nil
}

// startAt is a copy of the program whose constant source names the first source, if there are any.
func (r *run) startAt(p algorithms.Program) (algorithms.Program, error) {
	if len(r.req.Sources) == 0 {
		return p, nil
	}
	p.Constants = slices.Clone(p.Constants)
	i := slices.IndexFunc(p.Constants, func(c algorithms.Constant) bool { return c.Name == sourceName && c.Type == algorithms.VertexID })
	if i < 0 {
		return p, &RequestError{r.req.name() + " has no constant source that names a vertex, and so no sources"}
	}
	var err error
	p.Constants[i].Int, err = r.vertexID(r.req.Sources[0])
	return p, err
}

// FromSource is the name of a result column from one of several sources.
func FromSource(name, source string) string { return name + "_" + source }

// reportSources tells of each source of the run.
func (r *run) reportSources() (all []SourceReport) {
	for _, source := range r.sources {
		all = append(all, SourceReport{Source: source, Iterations: r.final.Number, Converged: r.converged()})
	}
	return all
}

// followedBy is both results as one. Nil is none.
func (r *Result) followedBy(next *Result) *Result {
	if r == nil {
		return next
	}
	return &Result{Report: r.Report.And(next.Report), Columns: append(r.Columns, next.Columns...), Held: r.Held + next.Held}
}

// drop gives back what the columns take. Nil has none.
func (r *Result) drop(ctx context.Context) {
	if account := memory.Of(ctx); account != nil && r != nil {
		account.Give(r.Held)
	}
}
