package penstock

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

// Result is what a Run computed, with the snapshot it was computed on, which stays until Close.
type Result struct {
	// Columns have one value a vertex, in the order in which vertices are stored, or are a table; Top, WriteFile and Write
	// name vertices by the user's ids. From several sources there are the columns of the first, then those of the second,
	// and so on.
	Columns []algorithms.Values
	Report  Report
	inner   *instance.Result
}

// Report says what a run did and what it cost.
type Report struct {
	Algorithm   string
	Parameters  map[string]string
	Graph       string
	Snapshot    uint64
	Device      string
	Schedule    string // "resident": all chunks were on the device; or the schedule that streamed them
	Why         string // that schedule
	Kernel      string // the device's name for the code path
	Threads     int
	Vertices    uint64
	Edges       uint64 // of the graph
	Iterations  int
	Converged   bool // by the program's own rule, not by a limit of iterations
	ResumedFrom int  // the iteration after which it went on from a checkpoint; 0: it began at the beginning
	// Total is the time of the whole run, from launch to result. The others are of work that overlaps: their sum may
	// exceed it.
	Total, Storage, Transfer, Compute time.Duration
	StorageBytes                      uint64 // read from the store
	TransferBytes                     uint64 // given to the device, which copied it or read it in place
	EdgesProcessed                    uint64 // an edge counts each time a kernel looked at it
	PeakDeviceMemory                  uint64 // the most that state, chunks and scratch took of a device's budget, in bytes
}

func reportOf(r host.Report) Report {
	return Report{
		Algorithm: r.Algorithm, Parameters: r.Parameters, Graph: r.Graph, Snapshot: r.Snapshot, Device: r.Device,
		Schedule: r.Schedule, Why: r.Why, Kernel: r.Kernel, Threads: r.Threads, Vertices: r.Vertices, Edges: r.Edges,
		Iterations: r.Iterations, Converged: r.Converged, ResumedFrom: r.ResumedFrom,
		Total: duration(r.Seconds.Total), Storage: duration(r.Seconds.Storage),
		Transfer: duration(r.Seconds.Transfer), Compute: duration(r.Seconds.Compute),
		StorageBytes: r.Bytes.Storage, TransferBytes: r.Bytes.Transfer,
		EdgesProcessed: r.EdgesProcessed, PeakDeviceMemory: r.PeakDeviceBytes,
	}
}

// Close lets go of the snapshot.
func (r *Result) Close() { r.inner.Close() }

// Figures sums the result up: components, triangles, vertices reached …. Programs of one's own have none. From several
// sources there are as many, with the source behind their name.
func (r *Result) Figures() []algorithms.Figure { return r.inner.Figures() }

// Ranked is a vertex of a result.
type Ranked struct {
	ID    string // the user's
	Other string // of a pair: the other vertex; of a path: the last
	Value any    // float64, int64, bool; a vertex by its id: string; of a path: what it costs
	Path  []any  // of a path: its vertices, by their ids
	Row   []any  // of a table: its values, in the order of the columns, vertices by their ids; nothing else is set
}

// Top returns the n vertices with the largest values of a column, largest first, ties by order of loading. Vertices
// without a finite value, such as unreached ones, are left out. Columns of vertices have no order: they come in order
// of loading. Of a table of rows they are the first n.
func (r *Result) Top(ctx context.Context, column, n int) ([]Ranked, error) {
	top, err := r.inner.TopOf(ctx, column, n)
	if err != nil {
		return nil, public(err)
	}
	ranked := make([]Ranked, len(top))
	for i, v := range top {
		ranked[i] = Ranked{ID: v.ID, Other: v.Other, Value: v.Value, Path: v.Path, Row: v.Row}
	}
	return ranked, nil
}

// Write stores the result as node properties of the graph, in one atomic step: the first column under the name
// property, a further one under property_COLUMN; from several sources, property_SOURCE and property_COLUMN_SOURCE. With
// them goes what is needed to repeat the run. Of a part, nodes outside keep what an earlier result of the same name and
// type gave them, or have none.
//
// Errors: ErrConflict, when the graph was changed since the run began.
func (r *Result) Write(ctx context.Context, property string) error {
	_, err := r.inner.Write(ctx, property)
	return public(err)
}

// WriteFile writes one row per vertex or, of a result that is pairs, paths or rows, each of these, with the user's ids,
// in the format that the file's ending tells: .csv (.csv.gz, .csv.zst), .arrow or .parquet. The file appears when it is
// whole.
func (r *Result) WriteFile(ctx context.Context, file string) error {
	return public(r.inner.WriteFile(ctx, file))
}
