package host

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms/mega/heldout"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/train"
	"github.com/penstock-db/penstock/host/internal/train/decode"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/mega/als"
	"github.com/penstock-db/penstock/plugins/mega/lda"
	"github.com/penstock-db/penstock/plugins/mega/linear"
	"github.com/penstock-db/penstock/plugins/mega/mf"
	"github.com/penstock-db/penstock/store"
)

// LearningPlan is how a MEGA program would learn, before it does. The cut, vertices, edges and clocks are what a run
// has; bytes that travel are at most so many: without slack they are just these, where every edge that may change a row
// does.
type LearningPlan struct {
	Program  string `json:"program"`
	Graph    string `json:"graph"`
	Snapshot uint64 `json:"snapshot"`
	Device   string `json:"device"`
	Kernel   string `json:"kernel"`
	PlanCourse
	Partition string       `json:"partition"`
	Left      PlanSide     `json:"left"`
	Right     PlanSide     `json:"right"`
	Context   PlanRows     `json:"context"`
	Edges     uint64       `json:"edges"` // in partitions; an edge that is joined at both ends is there twice
	Workers   []PlanWorker `json:"workers"`
	// Processes are those that the workers are divided among, the first ones the first; nil: one has them all.
	Processes []PlanProcess `json:"processes,omitempty"`
	PlanBytes
}

// Room is that of the device.
func (p *LearningPlan) Room() TrainRoom {
	return TrainRoom{Device: p.Device, Need: p.DeviceMemory, Budget: p.Budget}
}

// PlanCourse is the course of a training.
type PlanCourse struct {
	Epochs int `json:"epochs"` // at the most
	// Ends: what an epoch comes to may end the run; so many epochs follow that one, at the most.
	Ends   bool   `json:"may_end_before"`
	Beyond int    `json:"epochs_beyond_the_end"`
	Slack  *int   `json:"slack,omitempty"` // nil: no bound
	Seed   uint64 `json:"seed"`
	// Stages are those of an epoch, one after the other; a MiniBatch has so many Batches, and an epoch so many Clocks.
	Stages  []string `json:"stages"`
	Batches int      `json:"batches"`
	Clocks  int      `json:"clocks_an_epoch"`
}

// PlanBytes is what travels between workers, and what is held, in bytes.
type PlanBytes struct {
	// ClockBytes, EpochBytes and RunBytes are what all workers exchange: in any one clock, an epoch, and all epochs;
	// Synchronous is what an epoch would be without slack.
	ClockBytes  uint64 `json:"most_bytes_a_clock"`
	EpochBytes  uint64 `json:"bytes_an_epoch"`
	Synchronous uint64 `json:"bytes_an_epoch_without_slack"`
	RunBytes    uint64 `json:"bytes_in_all"`
	// WorkerMemory is what workers have, DeviceMemory what the device takes of its Budget, with all that it reads.
	WorkerMemory uint64 `json:"memory_of_workers"`
	DeviceMemory uint64 `json:"device_memory"`
	Budget       uint64 `json:"budget"`
	// Checkpoint is what a run that is to be resumed keeps in each.
	Checkpoint uint64 `json:"bytes_a_checkpoint"`
}

// PlanSide is the vertices of one side.
type PlanSide struct {
	Type        string  `json:"type,omitempty"` // the label that they have in common
	Vertices    int     `json:"vertices"`
	Masters     int     `json:"masters"` // vertices with edges that are learned from, or held out to learn by
	Mirrors     int     `json:"mirrors"`
	Replication float64 `json:"replication"`
	PlanRows
}

// PlanRows is what a row has: values that travel, and of a master and a mirror their own.
type PlanRows struct {
	Shared int    `json:"values_that_travel"`
	Master int    `json:"values_of_the_master,omitempty"`
	Mirror int    `json:"values_of_the_mirror,omitempty"`
	Value  string `json:"of"` // their type
}

// PlanWorker is what one worker would have and do.
type PlanWorker struct {
	Edges       uint64      `json:"edges"`
	Scanned     uint64      `json:"edges_an_epoch"`
	LeftMasters int         `json:"left_masters"`
	LeftMirrors int         `json:"left_mirrors"`
	Masters     int         `json:"masters"`
	Mirrors     int         `json:"mirrors"`
	Begin       uint64      `json:"pulled_to_begin"`
	Epoch       PlanTraffic `json:"an_epoch"`
	Clock       PlanTraffic `json:"most_a_clock"`
	Run         PlanTraffic `json:"in_all"`
	Memory      PlanMemory  `json:"memory"`
}

// PlanProcess is what one of several processes would have: workers, and memory of theirs beside what all share.
type PlanProcess struct {
	Workers int    `json:"workers"`
	Memory  uint64 `json:"memory_of_workers"`
}

// PlanTraffic is bytes that a worker exchanges with others.
type PlanTraffic struct {
	Pushed uint64 `json:"pushed"`
	Pulled uint64 `json:"pulled"`
}

// PlanMemory is bytes that a worker has.
type PlanMemory struct {
	Edges   uint64 `json:"edges"`
	Left    uint64 `json:"left_rows"`
	Masters uint64 `json:"masters"`
	Mirrors uint64 `json:"mirrors"`
	Sync    uint64 `json:"sync"`
}

// Explain: see Learning.
func (r *FactorizeRequest) Explain(ctx context.Context, snap *store.Snapshot) (*LearningPlan, error) {
	req := *r
	return explaining(r.Name, snap, func() (*LearningPlan, error) {
		examples, l, err := req.prepare(ctx, snap)
		if err != nil {
			return nil, err
		}
		if n := examples.Unlabelled; n > 0 {
			return nil, &EdgeError{Graph: snap.Manifest().Graph, Property: req.Label,
				Reason: fmt.Sprintf("has no number for %d edges: choose a property that every edge has", n)}
		}
		e, err := newExplainer(ctx, snap, l, req.MegaOptions)
		if err != nil {
			return nil, err
		}
		held := l.floats["held"]
		g := dataset.Bipartite(e.sides, examples.Pairs, false, func(i int) (mf.Rating, bool) {
			p, value := examples.Pairs[i], examples.Wanted[i]
			place := heldout.Place(req.Seed, uint64(p.Source), uint64(p.Target))
			return mf.Of(value, place >= l.learned), place < l.learned+held
		})
		params := als.Params{Rank: req.Rank, Tolerance: req.Tolerance, Workers: req.Workers}
		switch {
		case req.Implicit:
			als.Merge(g)
			joined := als.Join(g)
			return explain(ctx, e, als.Implicit(params, joined), &joined.Graph, als.Changes)
		case req.exact():
			joined := als.Join(g)
			return explain(ctx, e, als.Program(params, joined), &joined.Graph, als.Changes)
		}
		mf.HoldLast(g)
		changes := func(r *mf.Rating) bool { return !r.Held() }
		if l.ints["late"] != 0 {
			changes = nil // in the last quarter of epochs
		}
		p := mf.Program(mf.Params{Rank: req.Rank, Epochs: req.Epochs})
		p.Done = nil // it judges epochs, but ends nothing
		return explain(ctx, e, p, g, changes)
	})
}

// Explain: see Learning.
func (r *TopicsRequest) Explain(ctx context.Context, snap *store.Snapshot) (*LearningPlan, error) {
	req := *r
	return explaining("lda", snap, func() (*LearningPlan, error) {
		parts, _, l, err := req.prepare(ctx, snap)
		if err != nil {
			return nil, err
		}
		e, err := newExplainer(ctx, snap, l, req.MegaOptions)
		if err != nil {
			return nil, err
		}
		edges, err := dataset.ReadEdges(ctx, snap, "", func(dataset.Pair, float64) bool { return true })
		if err != nil {
			return nil, err
		}
		g := dataset.Bipartite(e.sides, edges, false, func(i int) (struct{}, bool) {
			return struct{}{}, parts[edges[i].Source] == dataset.Train
		})
		return explain(ctx, e, lda.Outline(lda.Params{Topics: req.Topics}, int(l.n)), g, nil)
	})
}

// Explain: see Learning.
func (r *RegressRequest) Explain(ctx context.Context, snap *store.Snapshot) (*LearningPlan, error) {
	req := *r
	return explaining(r.Name, snap, func() (*LearningPlan, error) {
		_, _, l, err := req.prepare(ctx, snap)
		if err != nil {
			return nil, err
		}
		e, err := newExplainer(ctx, snap, l, req.MegaOptions)
		if err != nil {
			return nil, err
		}
		labels, squares := l.given["labels"], 0.0
		learned := func(p dataset.Pair) bool { return labels[p.Source] == labels[p.Source] } // others are NaN
		edges, err := dataset.ReadEdges(ctx, snap, req.Value, func(p dataset.Pair, x float64) bool {
			if !learned(p) {
				return false
			}
			squares += x * x
			return true
		})
		if err != nil {
			return nil, err
		}
		p := linear.Params{L1: req.L1, L2: req.L2, Tolerance: req.Tolerance, Workers: req.Workers, Slack: req.Slack}
		program, primal := linear.Dual(p), req.primal() != 0 || !p.Sooner(squares/l.n)
		if primal {
			program = linear.Primal(p)
		}
		g := dataset.Bipartite(e.sides, edges, primal, func(i int) (struct{}, bool) { return struct{}{}, learned(edges[i]) })
		if primal {
			e.sides.Sources, e.sides.Targets = e.sides.Targets, e.sides.Sources
		}
		e.options.Batches = p.Blocks(req.Blocks, len(g.Targets), g.Rights)
		return explain(ctx, e, program, g, nil)
	})
}

// explaining says of an error what was being explained.
func explaining(name string, snap *store.Snapshot, do func() (*LearningPlan, error)) (*LearningPlan, error) {
	p, err := do()
	if err != nil {
		return nil, fmt.Errorf("explain %s on graph %s: %w", name, snap.Manifest().Graph, err)
	}
	return p, nil
}

// explainer is what explaining any program takes.
type explainer struct {
	snap    *store.Snapshot
	options mega.Options
	asked   MegaOptions
	sides   *dataset.Sides
	needs   *Needs
}

// newExplainer has the device say what it would take, and tells the sides apart.
func newExplainer(ctx context.Context, snap *store.Snapshot, l learner, o MegaOptions) (*explainer, error) {
	request, err := l.request(snap.Manifest().Vertices, o)
	if err != nil {
		return nil, err
	}
	sides, err := dataset.ReadSides(ctx, snap)
	if err != nil {
		return nil, &RequestError{Reason: err.Error()}
	}
	needs, err := Estimate(ctx, snap, request)
	if err != nil {
		return nil, err
	}
	return &explainer{snap: snap, asked: o, sides: sides, needs: needs, options: mega.Options{Workers: o.Workers,
		Slack: o.Slack, Epochs: o.Epochs, Batch: o.Batch, Seed: o.Seed, Cut: o.cut()}}, nil
}

// explain explains a program on a graph.
func explain[U any, V mega.Number, E, G any](ctx context.Context, e *explainer, p *mega.Program[U, V, E],
	g *mega.Graph[G], changes func(*G) bool) (*LearningPlan, error) {
	m, joined := e.snap.Manifest(), g.Sets != nil // both sides are on both sides then
	plan := &LearningPlan{Program: p.Name, Graph: m.Graph, Snapshot: m.ID, Device: e.asked.request().Device,
		Kernel: e.needs.Kernel, Partition: string(e.asked.cut()), Edges: uint64(len(g.Edges)),
		PlanCourse: PlanCourse{Epochs: e.asked.Epochs, Seed: e.asked.Seed,
			Ends: p.Done != nil && e.asked.Slack != mega.Asynchronous},
		PlanBytes: PlanBytes{DeviceMemory: e.needs.Device, Budget: e.needs.Budget},
		Left:      PlanSide{Vertices: g.Lefts(), PlanRows: rowsOf[U](p.Left)},
		Right:     PlanSide{Vertices: g.Rights, PlanRows: rowsOf[V](p.Right)},
		Context:   rowsOf[V](p.Context)}
	if e.asked.Slack != mega.Asynchronous {
		plan.Slack = &e.asked.Slack
	}
	for _, s := range p.Stages {
		plan.Stages = append(plan.Stages, s.String())
	}
	if err := plan.name(ctx, e, joined); err != nil {
		return nil, err
	}
	x, err := mega.Explain(p, g, e.options, changes)
	if err != nil {
		return nil, &RequestError{Reason: err.Error()}
	}
	plan.fill(x)
	plan.divide(e.asked.Processes)
	return plan, nil
}

func rowsOf[T any](r mega.Rows) PlanRows {
	return PlanRows{r.Shared, r.Master, r.Mirror, fmt.Sprintf("%T", *new(T))}
}

// name says of which types the vertices are.
func (p *LearningPlan) name(ctx context.Context, e *explainer, joined bool) (err error) {
	if p.Left.Type, err = dataset.Type(ctx, e.snap, e.sides.Sources); err != nil {
		return err
	}
	if p.Right.Type, err = dataset.Type(ctx, e.snap, e.sides.Targets); err != nil {
		return err
	}
	if joined && p.Left.Type != "" && p.Right.Type != "" {
		p.Left.Type = strings.Join([]string{p.Left.Type, p.Right.Type}, ", ")
		p.Right.Type = p.Left.Type
	}
	return nil
}

// fill fills in what the engine says.
func (p *LearningPlan) fill(x *mega.Explanation) {
	p.Batches, p.Clocks, p.Beyond, p.Checkpoint = x.Batches, x.Clocks, x.Beyond, x.Kept
	for _, side := range []struct {
		to *PlanSide
		of mega.Side
	}{{&p.Left, x.Left}, {&p.Right, x.Right}} {
		side.to.Masters, side.to.Mirrors, side.to.Replication = side.of.Masters, side.of.Mirrors, side.of.Replication()
	}
	for _, f := range x.Workers {
		run := f.Run(p.Epochs)
		p.Workers = append(p.Workers, PlanWorker{Edges: f.Edges, Scanned: f.Scanned, LeftMasters: f.Left.Masters,
			LeftMirrors: f.Left.Mirrors, Masters: f.Right.Masters, Mirrors: f.Right.Mirrors, Begin: f.Begin,
			Epoch: PlanTraffic{f.Epoch.Pushed, f.Epoch.Pulled}, Clock: PlanTraffic{f.Clock.Pushed, f.Clock.Pulled},
			Run: PlanTraffic{run.Pushed, run.Pulled}, Memory: PlanMemory(f.Memory)})
		p.ClockBytes += f.Clock.Pushed + f.Clock.Pulled
		p.EpochBytes += f.Epoch.Pushed + f.Epoch.Pulled
		p.Synchronous += f.Synchronous.Pushed + f.Synchronous.Pulled
		p.RunBytes += run.Pushed + run.Pulled
		p.WorkerMemory += f.Memory.All()
	}
}

// divide says what so many processes have, if there are several.
func (p *LearningPlan) divide(processes int) {
	if processes < 2 {
		return
	}
	for workers := range slices.Chunk(p.Workers, len(p.Workers)/processes) {
		each := PlanProcess{Workers: len(workers)}
		for _, w := range workers {
			m := w.Memory // rows of masters, and of left vertices that no cut splits, all share
			each.Memory += m.Edges + m.Mirrors + m.Sync
		}
		p.Processes = append(p.Processes, each)
	}
}

// TrainPlan is how a network would be trained, before it is.
type TrainPlan struct {
	Model      string            `json:"model"`
	Graph      string            `json:"graph"`
	Snapshot   uint64            `json:"snapshot"`
	Device     string            `json:"device"`
	Kernel     string            `json:"kernel"`
	Epochs     int               `json:"epochs"` // at the most
	Parameters int               `json:"parameters"`
	Split      map[string]int    `json:"split"`
	Features   TrainFeatures     `json:"features"`
	Rooms      []TrainRoom       `json:"rooms"` // of each device
	Batches    *PlanBatches      `json:"batches,omitempty"`
	Pieces     *TrainPieces      `json:"pieces,omitempty"`  // nil: everything stays on the devices
	Devices    []TrainShare      `json:"devices,omitempty"` // of several, what each would have
	Schedule   dataflow.Schedule `json:"-"`                 // of the pass that learns
}

// MarshalJSON has the schedule as a text.
func (p *TrainPlan) MarshalJSON() ([]byte, error) {
	type plain TrainPlan
	return json.Marshal(struct {
		*plain
		Schedule string `json:"schedule"`
	}{(*plain)(p), p.Schedule.String()})
}

// TrainRoom is memory of a device.
type TrainRoom = train.Room

// Room is that of the device which needs most.
func (p *TrainPlan) Room() (most TrainRoom) {
	for _, room := range p.Rooms {
		if room.Need > most.Need {
			most = room
		}
	}
	return most
}

// PlanBatches is how a network would learn batch by batch. A device has so many vertices and edges of one, at the most.
type PlanBatches struct {
	Size     int     `json:"size"`
	Fanout   Fanouts `json:"fanout"`
	Batches  int     `json:"batches"` // an epoch
	Vertices uint64  `json:"most_vertices"`
	Edges    uint64  `json:"most_edges"`
}

// PlanTraining says how Train would go, which it does not do: devices are started, say what memory they take, and are
// given what they would learn from.
//
// Errors: those of Train, but for *LossError.
func (e *Engine) PlanTraining(ctx context.Context, snap *store.Snapshot, req TrainRequest) (*TrainPlan, error) {
	p, err := planTraining(ctx, e, snap, req)
	if err != nil {
		return nil, fmt.Errorf("train %s on graph %s: %w", req.Model.Name, snap.Manifest().Graph, err)
	}
	return p, nil
}

func planTraining(ctx context.Context, e *Engine, snap *store.Snapshot, req TrainRequest) (*TrainPlan, error) {
	l, err := newLesson(ctx, snap, req)
	if err != nil {
		return nil, err
	}
	p := &TrainPlan{Model: req.Model.Name, Epochs: req.Model.Training.Epochs, Split: namedCounts(l.parts),
		Schedule: l.schedule()}
	done, err := e.compute(ctx, snap, req.On, req.Whole, l.network, TrainEvents{}, func(s *train.Session) error {
		p.Rooms, p.Batches = s.Rooms(), l.batches()
		return nil
	})
	if err != nil {
		return nil, err
	}
	p.Graph, p.Snapshot, p.Device, p.Kernel = done.Graph, done.Snapshot, done.Device, done.Kernel
	p.Features, p.Pieces, p.Devices = done.Features, done.Pieces, done.Devices
	m := snap.Manifest()
	for _, each := range trained.Shapes(l.network.Compiled, int(m.Vertices), decode.BiasColumns(m.Directed)) {
		p.Parameters += each.Rows * each.Width
	}
	return p, nil
}

// batches are those that the lesson would be learned in; nil: it is learned over the whole graph.
func (l *lesson) batches() *PlanBatches {
	s := l.network.Sampling
	if s == nil {
		return nil
	}
	b := &PlanBatches{Size: s.Batch, Fanout: s.Fanouts,
		Batches: (dataset.Count(l.parts)[dataset.Train] + s.Batch - 1) / s.Batch}
	b.Vertices, b.Edges = s.Largest()
	return b
}
