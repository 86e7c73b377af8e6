package instance

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/store"
)

// Subject is a graph, or a part of one, that something is computed on. A part is stored for that, and kept for others
// on it as a device is. Results have the vertices of the part alone.
type Subject struct {
	db    *DB
	graph string
	of    store.Projection
}

// On is the part of a graph that a projection says; the zero Projection is all of it.
func (db *DB) On(graph string, of store.Projection) Subject { return Subject{db, graph, of} }

// Run computes what request asks for on the graph's current snapshot, in a plugin process, which stays for the next run
// (Options.KeepWarm). When ctx ends the process is killed and the database is as it was. The caller closes the Result.
//
// Errors: those of host.Run and, of a part, of store.DB.Project; *PartResumeError.
func (s Subject) Run(ctx context.Context, request host.Request, events host.Events) (*Result, error) {
	if request.Resume && !s.of.All() {
		return nil, &PartResumeError{Graph: s.graph}
	}
	opened, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	ctx = s.db.accounted(ctx)
	computed, err := s.db.engine.Run(ctx, opened.Snapshot, s.db.withPlaces(request), events)
	if err != nil {
		opened.Close()
		return nil, err
	}
	computed.Report.Graph, computed.Report.Snapshot = s.graph, opened.whole().ID
	return &Result{Result: computed, db: s.db, subject: opened, memory: memory.Of(ctx)}, nil
}

// Estimate tells what Run would take, and fails as it would, without running. A part is stored for it.
func (s Subject) Estimate(ctx context.Context, request host.Request) (*host.Needs, error) {
	opened, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return host.Estimate(ctx, opened.Snapshot, s.db.withPlaces(request))
}

// PartResumeError says that a run on a part of a graph was to be resumed.
type PartResumeError struct{ Graph string }

func (e *PartResumeError) Error() string {
	return "a run on a part of graph " + e.Graph + " cannot be resumed, since the part goes with the run: " +
		"leave out --resume (Request.Resume), or run on all of the graph"
}

// opened is a snapshot of a graph, or of a part of one.
type opened struct {
	*store.Snapshot
	part *store.Part // nil: it is all of the graph
	of   Part
	db   *DB
}

// Part is a part of a graph that was computed on.
type Part struct {
	store.Projection
	// Seconds is how long it took to store the part, which the time of the run does not have; 0: it was there.
	Seconds float64 `json:"seconds"`
}

// open pins the graph's current snapshot, and stores the part if it is not kept.
func (s Subject) open(ctx context.Context) (*opened, error) {
	whole, err := s.db.folded(ctx, s.graph)
	if err != nil {
		return nil, err
	}
	of, err := s.of.Within(whole.Manifest())
	if err != nil {
		whole.Close()
		return nil, err
	}
	o := &opened{Snapshot: whole, of: Part{Projection: of}, db: s.db}
	if of.All() {
		return o, nil
	}
	began := time.Now()
	part, kept, err := s.db.parts.take(ctx, s.db.store, whole, of)
	if err != nil {
		whole.Close()
		return nil, err
	}
	if !kept {
		o.of.Seconds = time.Since(began).Seconds()
	}
	o.Snapshot, o.part = part.Snapshot, part
	return o, nil
}

// whole describes the snapshot of all of the graph.
func (o *opened) whole() *store.Manifest {
	if o.part == nil {
		return o.Manifest()
	}
	return o.part.Whole().Manifest()
}

// vertex is the dense id of a vertex in the graph.
func (o *opened) vertex(dense uint64) uint64 {
	if o.part == nil {
		return dense
	}
	return o.part.Vertex(dense)
}

// writeProperties stores node properties, of the part's vertices beside those of others.
func (o *opened) writeProperties(ctx context.Context, columns []store.PropertyColumn, run store.Provenance) (
	*store.Manifest, error) {
	if o.part == nil {
		return o.db.store.WriteProperties(ctx, o.Snapshot, columns, run)
	}
	return o.part.WriteProperties(ctx, columns, run)
}

// Close lets go of the snapshot; a part stays for a while.
func (o *opened) Close() {
	if o.part == nil {
		o.Snapshot.Close()
		return
	}
	o.db.parts.keep(o.part, o.of.Projection)
}
