package host

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/mega/kept"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/store"
)

// MegaOptions are how a program of the MEGA model runs (package plugins/mega).
type MegaOptions struct {
	Epochs  int
	Workers int // partitions, each with a thread; 0: 1
	// Processes are those of the plugin that the workers are divided among, each with as many; up to 1: one has them all.
	Processes int
	Slack     int // clocks that a worker may be ahead of the slowest; mega.Asynchronous: any number
	Batch     int // edges of a partition in a clock; 0: all
	Seed      uint64
	// Partition is how the graph is cut: the name of a mega.Cut; empty: mega.Bipartite.
	Partition string
	Cluster   Cluster // that workers pretend to be
	Trace     bool    // have WorkerReport.Timeline
	// WorkerTimeout is how long a worker may get nowhere before the run ends; 0: DefaultWorkerTimeout.
	WorkerTimeout time.Duration
	// Resume keeps what the program has come to in CheckpointDir from time to time, and begins with that of the very same
	// training that did not end well, if there is one.
	Resume          bool
	CheckpointDir   string
	CheckpointEvery time.Duration // 0: DefaultCheckpointEvery
	On
}

// DefaultWorkerTimeout is how long a worker may get nowhere where nothing is said.
const DefaultWorkerTimeout = 5 * time.Minute

// Options are the options.
func (o *MegaOptions) Options() *MegaOptions { return o }

// settings are those of every program, with what there is to say of the number of epochs, and of slack without a bound.
func (o *MegaOptions) settings(epochs, unbounded string) []Setting {
	return append([]Setting{
		{"epochs", "how often it goes along all edges" + epochs, &o.Epochs},
		{"workers", "partitions, each with a thread of its own; 4x2: of 4 processes with 2 threads each",
			Workers{&o.Processes, &o.Workers}},
		{"slack", "batches that a worker may be ahead of the slowest; " + unbounded, Slack{&o.Slack}},
		{"partition", "how the graph is cut into them: bipartite (by left vertices, default), bipartite-right, hybrid or random", &o.Partition},
		{"seed", "of all that is random", &o.Seed},
		{"resume", "write checkpoints to the database during training, and continue from the last one of a training that failed",
			&o.Resume},
		{"worker-timeout", "end the run where a worker hangs: where it gets nowhere for so long (default 5m)", &o.WorkerTimeout},
		{"checkpoint-every", "with --resume: least time from one checkpoint to the next", &o.CheckpointEvery},
	}, o.Cluster.settings()...)
}

// check says what is wrong with the options, or with the graph's being for such programs; empty: nothing is.
func (o MegaOptions) check(m *store.Manifest) string {
	switch {
	case !m.Directed:
		return "its edges have no direction: load it with --left and --right"
	case o.Epochs < 1 || o.Epochs > mega.MaxEpochs:
		return fmt.Sprintf("%d epochs: give 1 to %d", o.Epochs, mega.MaxEpochs)
	case o.Workers < 0 || o.Workers > mega.MaxWorkers:
		return fmt.Sprintf("%d workers: give 1 to %d", o.Workers, mega.MaxWorkers)
	case o.Processes > 1 && (o.Cluster.LinkBandwidth > 0 || o.Cluster.LinkLatency > 0):
		return fmt.Sprintf("a simulated link between %d processes: simulate it between threads of one, as by %d workers",
			o.Processes, o.Workers)
	case o.Processes > 1 && o.Workers%o.Processes != 0:
		return fmt.Sprintf("%d workers in %d processes: give each as many", o.Workers, o.Processes)
	case o.Processes > 1 && uint64(o.Workers) > m.Vertices:
		return fmt.Sprintf("%d workers in %d processes, and %d vertices: give at most one for each", o.Workers, o.Processes,
			m.Vertices)
	case o.Slack < mega.Asynchronous:
		return fmt.Sprintf("slack %d: give 0 or more clocks, or inf", o.Slack)
	case !slices.Contains(mega.Cuts(), o.cut()):
		return fmt.Sprintf("partition %s: give one of %v", o.Partition, mega.Cuts())
	case o.WorkerTimeout < 0:
		return fmt.Sprintf("a worker's timeout of %v: give a time of at least 0", o.WorkerTimeout)
	case o.Batch < 0:
		return fmt.Sprintf("a batch of %d edges: give at least 1, or 0 for all", o.Batch)
	}
	return o.Cluster.check()
}

// cut is how the graph is cut.
func (o MegaOptions) cut() mega.Cut { return cmp.Or(mega.Cut(o.Partition), mega.Bipartite) }

// LearnerReport is how workers of a MEGA program did.
type LearnerReport struct {
	Slack *int `json:"slack,omitempty"` // nil: no bound
	// Processes are those that had the workers, the first ones the first; nil: one had them all.
	Processes []ProcessReport `json:"processes,omitempty"`
	Batch     int             `json:"batch,omitempty"` // 0: all edges
	Workers   []report.Worker `json:"workers"`
	// Partition is how the graph was cut into them. LeftReplication and Replication are how many mirrors there are of a
	// left and of a right vertex with edges, on average; ClockBytes is what all exchanged in a clock, on average.
	Partition       string  `json:"partition"`
	LeftReplication float64 `json:"left_replication"`
	Replication     float64 `json:"replication"`
	ClockBytes      float64 `json:"bytes_a_clock"`
	// Simulated is the cluster that workers pretended to be; nil: none.
	Simulated *ClusterReport `json:"simulated,omitempty"`
	// Objective and NonZero are, of a regression, what it has minimized and how many weights are not 0. Remaining is how
	// far the objective is above the least at the most, as a share of that; nil: nobody knows. Primal: it went along
	// features, and took NewtonSteps after its epochs. Converged: what remains is within the tolerance.
	Objective   *float64 `json:"objective,omitempty"`
	NonZero     *int     `json:"non_zero,omitempty"`
	Remaining   *float64 `json:"remaining,omitempty"`
	Primal      bool     `json:"primal,omitempty"`
	NewtonSteps int      `json:"newton_steps,omitempty"`
	Converged   *bool    `json:"converged,omitempty"`
}

// ProcessReport is what one of several processes of a device did.
type ProcessReport struct {
	Name            string `json:"name"` // as errors call it
	Workers         int    `json:"workers"`
	EdgesProcessed  uint64 `json:"edges_processed"`
	PeakDeviceBytes uint64 `json:"peak_device_bytes"` // with the graph's chunks, which all read where they are
}

// learner is a MEGA program as a device is asked for it.
type learner struct {
	name    string
	column  string // the edge property that it reads; empty: none
	rows    []algorithms.Rows
	given   map[string][]float32 // the rows that are
	floats  map[string]float64
	ints    map[string]int64
	n       float64 // the loss that is told is the program's over this
	learned float64 // the share of edges that is not held out
	whole   string  // why left vertices must be whole; empty: they may be in several partitions
	state   int     // how many bytes what it has come to takes at the most, beside what each run has
}

// run has a device learn. What it has learned is in the rows of the result.
func (l learner) run(ctx context.Context, e *Engine, snap *store.Snapshot, o MegaOptions, events TrainEvents) (*Result,
	error) {
	r, err := l.request(snap.Manifest().Vertices, o)
	if err != nil {
		return nil, err
	}
	return e.Run(ctx, snap, r, report.Events{Launched: events.Launched, Uploaded: events.Uploaded,
		Noticed: events.Noticed, Learned: func(epoch report.Epoch) {
			if events.Trained != nil {
				events.Trained(l.epoch(epoch))
			}
		}})
}

// request is what a device is asked for.
func (l learner) request(vertices uint64, o MegaOptions) (r Request, err error) {
	if l.whole != "" && o.cut().Splits() {
		return r, &RequestError{Reason: fmt.Sprintf("partition %s puts edges of one vertex in several partitions, but %s: give %s",
			o.Partition, l.whole, mega.Bipartite)}
	}
	var columns []string
	args := algorithms.Args{Floats: maps.Clone(l.floats), Ints: maps.Clone(l.ints), Strings: map[string]string{}}
	if l.column != "" {
		columns, args.Strings["label"] = []string{l.column}, l.column
	}
	args.Floats["learned"] = l.learned
	args.Ints["epochs"] = int64(o.Epochs)
	args.Ints["workers"] = int64(max(o.Workers, 1))
	args.Ints["slack"] = int64(o.Slack)
	args.Ints["batch"] = int64(o.Batch)
	args.Ints["seed"] = int64(o.Seed)
	args.Ints["worker_timeout_nanos"] = cmp.Or(o.WorkerTimeout, DefaultWorkerTimeout).Nanoseconds()
	if o.Trace {
		args.Ints["trace"] = 1
	}
	args.Strings["partition"] = string(o.cut())
	o.Cluster.tell(&args)
	r = o.request()
	rows := l.rows
	if o.Processes > 1 {
		r.Processes, args.Ints[plugins.ProcessesArgument] = o.Processes, int64(o.Processes)
		rows = append(slices.Clone(rows), l.room(o, vertices))
	}
	if o.Resume {
		r.Resume, r.CheckpointDir = true, o.CheckpointDir
		r.CheckpointEvery = cmp.Or(o.CheckpointEvery, DefaultCheckpointEvery)
		args.Ints[kept.Every] = r.CheckpointEvery.Nanoseconds()
		rows = append(slices.Clone(rows), l.kept(o))
	}
	r.Given, r.Args = l.given, &args
	r.Procedure = &algorithms.Algorithm{Name: l.name, Procedure: &algorithms.Procedure{Edges: algorithms.Forward,
		EdgeColumns: func(algorithms.Args) []string { return columns },
		Rows:        func(algorithms.Args) []algorithms.Rows { return rows }}}
	return r, nil
}

// kept is the row of what it has come to: what the program has, the losses of epochs, and of each worker its clock and
// random numbers.
func (l learner) kept(o MegaOptions) algorithms.Rows {
	const each, fixed, number = 256, 1 << 10, 4
	bytes := l.state + 8*o.Epochs + each*max(o.Workers, 1) + fixed
	return algorithms.Rows{Name: kept.Row, Width: bytes/number + 1, Once: true, Kept: true}
}

// room is what processes share, at most: rows, which are no more than what is kept of them, with the version of each
// master; without slack what each worker has changed of them; of each epoch what workers tell; and locks and marks of
// each worker at each owner.
func (l learner) room(o MegaOptions, vertices uint64) algorithms.Rows {
	const version, number, told, marks, fixed = 8, 4, 8 * 8, 256, 1 << 14
	rows, workers := uint64(l.state)+version*vertices, uint64(o.Workers)
	bytes := rows + workers*(uint64(o.Epochs)*told+workers*marks) + fixed
	if o.Slack == 0 {
		bytes += workers * (rows + number*vertices)
	}
	return algorithms.Rows{Name: plugins.RoomRow, Width: int(bytes/number) + 1, Once: true, Room: true}
}

// epoch is one as it is told.
func (l learner) epoch(e report.Epoch) TrainingEpoch {
	return TrainingEpoch{Number: e.Number, Loss: e.Loss / l.n, Took: time.Duration(e.Seconds * float64(time.Second))}
}

// epochs are those of a run.
func (l learner) epochs(r *Result) (all []TrainingEpoch) {
	for _, e := range r.Report.Learning.Epochs {
		all = append(all, l.epoch(e))
	}
	return all
}

// trainReport is what a run of a learner did and cost.
func (o MegaOptions) trainReport(snap *store.Snapshot, r *Result) TrainReport {
	m, run := snap.Manifest(), r.Report
	rep := TrainReport{Graph: m.Graph, Snapshot: m.ID, Device: run.Device, Kernel: run.Kernel, Plugin: run.Plugin,
		Walls: run.Walls, Memory: run.Memory, Bytes: run.Bytes, Peak: run.PeakDeviceBytes, Edges: run.EdgesProcessed}
	rep.Learner = &LearnerReport{Batch: o.Batch, Workers: run.Learning.Workers, Simulated: o.Cluster.report()}
	if o.Slack != mega.Asynchronous {
		rep.Learner.Slack = &o.Slack
	}
	if o.Processes > 1 {
		for _, d := range run.Devices {
			rep.Learner.Processes = append(rep.Learner.Processes, ProcessReport{Name: d.Name, Workers: o.Workers / o.Processes,
				EdgesProcessed: d.EdgesProcessed, PeakDeviceBytes: d.PeakDeviceBytes})
		}
	}
	var all report.Worker
	for _, w := range run.Learning.Workers {
		all.Masters, all.Mirrors = all.Masters+w.Masters, all.Mirrors+w.Mirrors
		all.LeftMasters, all.LeftMirrors = all.LeftMasters+w.LeftMasters, all.LeftMirrors+w.LeftMirrors
		all.Clocks = max(all.Clocks, w.Clocks)
		rep.Bytes.Exchanged += w.Pushed + w.Pulled
	}
	share := func(a, of uint64) float64 { return float64(a) / float64(max(of, 1)) }
	rep.Learner.Partition, rep.Learner.ClockBytes = string(o.cut()), share(rep.Bytes.Exchanged, all.Clocks)
	rep.Learner.LeftReplication = share(all.LeftMirrors, all.LeftMasters)
	rep.Learner.Replication = share(all.Mirrors, all.Masters)
	return rep
}
