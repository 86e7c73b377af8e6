package learners

import (
	"context"
	"maps"
	"slices"
	"time"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/mega"
)

// Learner is a MEGA program made ready for one graph.
type Learner interface {
	// Scratch is what Learn will allocate, in bytes, however the chunks are cut.
	Scratch() uint64
	// EdgeColumns are the properties of edges that it reads.
	EdgeColumns() []string
	// Learn fills rows, and returns how many edges it has gone along. Where there is a row to keep what it has come to, it
	// may end before it has learned, and goes on when it is next called: see package kept.
	Learn(ctx context.Context, chunks []*csr.Chunk, tell func(plugins.Event)) (edges uint64, err error)
}

// table has the learners by their names.
var table = map[string]func(Input) (Learner, error){
	"als":          newAlternation,
	"als-implicit": newPreferences,
	"lda":          newTopics,
	"linear":       newRegression,
	"mf":           newFactorization,
	"mixtures":     newMixtures,
}

// Input is what every learner works with.
type Input struct {
	Graph plugins.Graph
	N     int
	Args  algorithms.Args
	Rows  kit.Rows
}

// New makes the learner of a task ready, with its plan.
func New(job plugins.Job, task plugins.Task) (Learner, plugins.Plan, error) {
	build, ok := table[task.Procedure]
	if !ok {
		return nil, plugins.Plan{}, plugins.Errorf(plugins.KindUnsupported, "%q is not among what the device learns: %v",
			task.Procedure, slices.Sorted(maps.Keys(table)))
	}
	in := Input{Graph: job.Graph, N: int(job.Graph.Vertices), Args: task.Args}
	var err error
	if in.Rows, err = kit.OpenRows(job.Arena, task.Layout, in.N); err != nil {
		return nil, plugins.Plan{}, err
	}
	l, err := build(in)
	if err != nil {
		return nil, plugins.Plan{}, err
	}
	fixed := l.Scratch()
	if in.first() {
		fixed += kit.LayoutBytes(task.Layout)
	}
	return l, plugins.Plan{Directions: []chunk.Direction{chunk.Out}, Fixed: fixed, Kernel: task.Procedure}, nil
}

// workers is how many partitions the graph is cut into.
func (in Input) workers() int { return max(int(in.Args.Ints["workers"]), 1) }

// threads is how many of the workers are this process's.
func (in Input) threads() int { return max(in.workers()/in.processes(), 1) }

// processes is how many divide the workers.
func (in Input) processes() int { return max(int(in.Args.Ints[plugins.ProcessesArgument]), 1) }

// first says whether this process is the first of them, which tells what all have learned.
func (in Input) first() bool { return in.Args.Ints[plugins.ProcessArgument] == 0 }

// among is which of the processes this is.
func (in Input) among() mega.Processes {
	return mega.Processes{Number: int(in.Args.Ints[plugins.ProcessArgument]), Of: in.processes(),
		Room: in.bytes(plugins.RoomRow)}
}

// bytes is a row as bytes; nil: there is none.
func (in Input) bytes(name string) []byte {
	row := in.Rows[name]
	if len(row) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(row))), int(unsafe.Sizeof(row[0]))*len(row))
}

// options are those of a run, which tells of its epochs.
func (in Input) options(t *telling) mega.Options {
	ints := in.Args.Ints
	epochs := int(ints["epochs"])
	return mega.Options{Workers: in.workers(), Slack: int(ints["slack"]), Epochs: epochs, Batch: int(ints["batch"]),
		Seed: uint64(ints["seed"]), Cut: mega.Cut(in.Args.Strings["partition"]), Trace: ints["trace"] != 0,
		Patience: time.Duration(ints["worker_timeout_nanos"]), Cluster: mega.Cluster{Straggler: in.Args.Floats["straggler"],
			Latency: time.Duration(ints["link_latency_nanos"]), Bandwidth: float64(ints["link_bandwidth"])},
		Processes: in.among(), Pause: t.pause(in), Alive: func() { t.tell(plugins.Event{}) },
		Epoch: func(number int, loss float64) {
			e := plugins.Event{Fraction: float64(number+1) / float64(epochs)} // of the others a sign of life
			if in.first() {
				e.Epoch = &plugins.Epoch{Number: number + 1, Loss: loss}
			}
			t.tell(e)
		}}
}

// told tells what the workers of a run have done.
func told(r mega.Report, tell func(plugins.Event)) {
	var all []plugins.Work
	for _, w := range r.Workers {
		var spans []plugins.Span
		for _, s := range w.Timeline {
			spans = append(spans, plugins.Span{Epoch: uint64(s.Epoch), Clock: uint64(s.Clock), Began: s.Began, Wait: s.Wait,
				Pull: s.Pull, Compute: s.Compute, Sync: s.Sync})
		}
		all = append(all, plugins.Work{Timeline: spans, Edges: w.Edges,
			Masters: uint64(w.Right.Masters), Mirrors: uint64(w.Right.Mirrors),
			LeftMasters: uint64(w.Left.Masters), LeftMirrors: uint64(w.Left.Mirrors),
			Clocks: uint64(w.Clocks), Pushed: w.Traffic.Pushed, Pulled: w.Traffic.Pulled, Waited: w.Waited,
			Ahead: uint64(w.Ahead)})
	}
	tell(plugins.Event{Work: all, Fraction: 1})
}
