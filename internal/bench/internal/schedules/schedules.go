// Package schedules measures devices that have less memory than the graph takes, by every schedule.
package schedules

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strconv"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/store"
)

// Streaming is what devices are sent that have less memory than the graph takes, and how long
// they take, by every schedule.
type Streaming struct {
	measure.Setting
	// SimulatedLink is the bandwidth of a link that was only pretended; 0: of none.
	SimulatedLink uint64          `json:"simulated_link,omitempty"`
	Graphs        []StreamedGraph `json:"graphs"`
}

// StreamedGraph is what was measured on one graph.
type StreamedGraph struct {
	Name     string        `json:"name"`
	Vertices uint64        `json:"vertices"`
	Edges    uint64        `json:"edges"` // undirected ones each counted once
	Directed bool          `json:"directed,omitempty"`
	Rows     []StreamedRow `json:"rows"`
}

// StreamedRow is a kernel, and how much of the chunks' bytes a device has room for.
type StreamedRow struct {
	Kernel string  `json:"kernel"`
	Share  float64 `json:"share"`
	Chunks uint64  `json:"chunks"` // bytes
	Cells  []Cell  `json:"cells"`
}

// Cell is a row by one schedule. The budget is the state that it has where it streams, and
// beside it the row's share of the chunks.
type Cell struct {
	Schedule string  `json:"schedule"`
	State    uint64  `json:"state"`
	Budget   uint64  `json:"budget"`
	Refused  string  `json:"refused,omitempty"` // why it cannot be
	Stopped  bool    `json:"stopped,omitempty"` // it would have taken longer than the limit
	Rounds   []Round `json:"rounds"`
}

// Round is one run. Ran is the schedule as the run tells it.
type Round struct {
	Ran        string  `json:"ran"`
	Seconds    float64 `json:"seconds"`
	CPU        float64 `json:"cpu"` // seconds of all processors, of host and devices
	Compute    float64 `json:"compute"`
	Cutting    float64 `json:"cutting"`
	Transfer   uint64  `json:"transfer"`
	Storage    uint64  `json:"storage"`
	Iterations int     `json:"iterations"`
	Edges      uint64  `json:"edges"` // looked at
	Peak       uint64  `json:"peak"`
}

// Budgets are the ways in which a series of Schedules has graphs streamed.
type Budgets struct {
	Schedules     []string // see ScheduleNames
	Shares        []float64
	SimulatedLink uint64
	// Stored is a graph that is measured instead of Options.Graphs.
	Stored Stored
}

// Stored is a graph of a database, in the chunks that it has there.
type Stored struct {
	Database, Graph string
	Weight          string // the edge property that kernels with weights read; empty: the one that they read by default
}

// Defaults of Schedules.
var (
	DefaultSchedules = []string{plainSchedule, "whole", "subway", "subway" + synchronously, "scaph", "neugraph", "auto"}
	DefaultShares    = []float64{1. / 8, 1. / 4, 1. / 2}
	StreamedKernels  = []string{"bfs", "sssp", "wcc", "pagerank-delta", "widest-path"}
)

// Schedules runs kernels on devices of too little memory, in rounds in which every schedule
// has its turn. It fails when results disagree, or when a device has held more than it may.
func Schedules(ctx context.Context, b Budgets, o measure.Options) (*Streaming, error) {
	if len(o.Kernels) == 0 {
		o.Kernels = StreamedKernels
	}
	o.Streamed, o.GAPBS, o.Kuzu, o.Grid = true, "", "", ""
	ways, err := b.check(o)
	if err != nil {
		return nil, err
	}
	report := &Streaming{Setting: measure.NewSetting(o), SimulatedLink: b.SimulatedLink}
	if b.Stored != (Stored{}) {
		report.Graphs, err = b.onStored(ctx, ways, o)
	} else {
		report.Graphs, err = b.onGraphs(ctx, ways, o)
	}
	if err != nil {
		return nil, err
	}
	report.LoadAfter = measure.LoadAverage()
	return report, nil
}

func (b Budgets) check(o measure.Options) (ways []scheduled, err error) {
	switch stored := b.Stored; {
	case stored == (Stored{}):
	case stored.Database == "" || stored.Graph == "":
		return nil, &measure.OptionError{Option: "graph", Found: "of a database",
			Want: "give both, the database and the graph"}
	default:
		o.Graphs = nil // which are not measured
	}
	if err := kernel.Check(o); err != nil {
		return nil, err
	}
	for _, share := range b.Shares {
		if !(share > 0 && share < 1) {
			return nil, &measure.OptionError{Option: "share", Found: strconv.FormatFloat(share, 'g', -1, 64),
				Want: "it must be above 0 and below 1"}
		}
	}
	if err := Streamable(o); err != nil {
		return nil, err
	}
	for _, name := range b.Schedules {
		way, err := parseScheduled(name)
		if err != nil {
			return nil, err
		}
		ways = append(ways, way)
	}
	if len(ways) == 0 || len(b.Shares) == 0 {
		return nil, &measure.OptionError{Option: "series",
			Found: fmt.Sprintf("of %d schedules with %d shares", len(ways), len(b.Shares)),
			Want:  "there must be one of each at the least"}
	}
	return ways, nil
}

// Streamable refuses kernels that are no vertex programs, and so cannot be streamed.
func Streamable(o measure.Options) error {
	for _, k := range kernel.Chosen(o) {
		if a, err := catalog.Lookup(k.Algorithm); err != nil || a.Procedure != nil {
			return &measure.OptionError{Option: "kernel to stream", Found: strconv.Quote(k.Algorithm),
				Want: "it needs all chunks at once"}
		}
	}
	return nil
}

// onGraphs prepares one graph after another, and measures on it.
func (b Budgets) onGraphs(ctx context.Context, ways []scheduled, o measure.Options) (all []StreamedGraph, err error) {
	dir, err := os.MkdirTemp("", "penstock-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for _, name := range o.Graphs {
		measured, err := b.onGraph(ctx, dir, name, ways, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, *measured)
	}
	return all, nil
}

// onGraph prepares one graph, measures on it, and removes it.
func (b Budgets) onGraph(ctx context.Context, dir, name string, ways []scheduled, o measure.Options) (*StreamedGraph,
	error) {
	g, err := graphs.Prepare(ctx, dir, name, kernel.Weights(o), o)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(g.Dir)
	measured := &StreamedGraph{Name: name, Vertices: g.Vertices, Edges: g.Edges, Directed: g.Directed}
	for _, k := range kernel.Chosen(o) {
		err := g.WithSnapshot(k.Graph(), func(snapshot *store.Snapshot) error {
			rows, err := b.rows(ctx, name, snapshot, k, ways, o)
			measured.Rows = append(measured.Rows, rows...)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.Title(), err)
		}
	}
	return measured, nil
}

// onStored measures on the graph of a database.
func (b Budgets) onStored(ctx context.Context, ways []scheduled, o measure.Options) ([]StreamedGraph, error) {
	db, err := store.Open(b.Stored.Database, store.Options{})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	snapshot, err := db.Snapshot(b.Stored.Graph)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	m := snapshot.Manifest()
	measured := StreamedGraph{Name: b.Stored.Graph, Vertices: m.Vertices, Edges: m.Edges, Directed: m.Directed}
	for _, k := range kernel.Chosen(o) {
		if k.Weighted && b.Stored.Weight != "" {
			k.Params = maps.Clone(k.Params)
			k.Params["weight"] = b.Stored.Weight
		}
		rows, err := b.rows(ctx, b.Stored.Graph, snapshot, k, ways, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", b.Stored.Graph, k.Title(), err)
		}
		measured.Rows = append(measured.Rows, rows...)
	}
	return []StreamedGraph{measured}, nil
}

// rows measures k under each budget.
func (b Budgets) rows(ctx context.Context, graph string, snapshot *store.Snapshot, k kernel.Kernel, ways []scheduled,
	o measure.Options) ([]StreamedRow, error) {
	engine := host.NewEngine(host.DefaultIdle)
	defer engine.Close()
	s := &streamedKernel{Kernel: k, snapshot: snapshot, engine: engine, link: b.SimulatedLink, threads: o.Threads,
		limit: o.Limit}
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	whole, err := host.Estimate(ctx, snapshot, s.request(scheduled{schedule: "whole"}, 0))
	if err != nil {
		return nil, err
	}
	var rows []StreamedRow
	for _, share := range b.Shares {
		row := StreamedRow{Kernel: k.Title(), Share: share, Chunks: whole.Resident - whole.State}
		o.Step("%s: %s, with room for %s of the edges", graph, k.Title(), fraction(share))
		if err := s.measure(ctx, &row, ways, o); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// streamedKernel is a kernel on a graph, with the result that all schedules must have.
type streamedKernel struct {
	kernel.Kernel
	entry    *algorithms.Algorithm // of the catalog
	program  *algorithms.Program   // without what devices know of it
	snapshot *store.Snapshot
	engine   *host.Engine
	link     uint64
	threads  int
	limit    time.Duration
	want     []algorithms.Values
}

// prepare chooses the source of paths, and computes with all chunks on the device.
func (s *streamedKernel) prepare(ctx context.Context) error {
	var err error
	if s.entry, err = catalog.Lookup(s.Algorithm); err != nil {
		return err
	}
	if err := s.FromHub(ctx, s.snapshot); err != nil {
		return err
	}
	if s.program, err = s.unknown(ctx); err != nil {
		return err
	}
	result, err := host.Run(ctx, s.snapshot, host.Request{Algorithm: s.Algorithm, Params: s.Params, Threads: s.threads},
		host.Events{})
	if err != nil {
		return err
	}
	s.want = result.Columns
	return nil
}

// measure has every schedule take its turn.
func (s *streamedKernel) measure(ctx context.Context, row *StreamedRow, ways []scheduled, o measure.Options) error {
	row.Cells = make([]Cell, len(ways))
	var all []measure.Contender
	for i, way := range ways {
		cell := &row.Cells[i]
		cell.Schedule = way.name
		if err := s.budget(ctx, way, cell, uint64(row.Share*float64(row.Chunks))); err != nil {
			return err
		}
		all = append(all, func(ctx context.Context) ([]measure.Sample, error) {
			if cell.Refused != "" || cell.Stopped {
				return nil, nil
			}
			return nil, s.round(ctx, way, cell)
		})
	}
	_, err := measure.Rounds(ctx, all, o.Runs, o.Limit)
	return err
}

// fits is why nothing is streamed where the state is much and the graph small.
const fits = "beside that much state the whole graph fits, and is not streamed"

// budget learns the state that a schedule has where it streams, and adds the room for chunks.
func (s *streamedKernel) budget(ctx context.Context, way scheduled, cell *Cell, room uint64) error {
	all, err := host.Estimate(ctx, s.snapshot, s.request(way, 0))
	if err != nil {
		return err
	}
	if err := s.stateWithin(ctx, way, cell, all.Resident-1); err != nil || cell.Refused != "" {
		return err
	}
	cell.Budget = cell.State + room
	if cell.Budget >= all.Resident && way.schedule != "whole" {
		cell.Refused = fits
		return nil
	}
	// In less memory it may have another way, with more state, which is not to be cut into intervals here.
	need := uint64(0)
	var small *host.BudgetError
	if needs, err := host.Estimate(ctx, s.snapshot, s.request(way, cell.Budget)); errors.As(err, &small) {
		need = small.Need
	} else if err == nil && needs.Intervals != nil {
		need = needs.Intervals.Whole
	}
	if need == 0 {
		return nil
	}
	err = s.stateWithin(ctx, way, cell, need)
	cell.Budget = need + room
	return err
}

func (s *streamedKernel) stateWithin(ctx context.Context, way scheduled, cell *Cell, budget uint64) error {
	needs, err := host.Estimate(ctx, s.snapshot, s.request(way, budget))
	if cell.Refused = refusal(err); cell.Refused != "" {
		return nil
	}
	if err != nil {
		return err
	}
	if cell.State = needs.State; needs.Intervals != nil {
		cell.Refused = fits
	}
	return nil
}
