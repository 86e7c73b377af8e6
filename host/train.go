package host

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/host/internal/checkpoint"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/host/internal/train"
	"github.com/penstock-db/penstock/store"
)

// What training tells, and its errors.
type (
	ExampleError  = dataset.PropertyError
	LossError     = train.DivergedError
	TrainingEpoch = train.Epoch
	TrainWay      = train.Way
	TrainPieces   = train.Pieces
	TrainShare    = train.Share
	TrainBrought  = train.Brought
	TrainHalves   = train.Halves
	TrainHalf     = train.HalvesStage
	Scores        = trained.Scores
)

// On is where a neural network is computed.
type On struct {
	Device        string        // "cpu", "auto" (empty too), the name of an installed plugin, or the path of a plugin program
	DeviceMemory  uint64        // bytes; 0: as of a Request
	DeviceCPUTime time.Duration // as of a Request
	Threads       int
	Timeout       time.Duration
	Log           io.Writer
	Allowed       Devices
	Unconfined    []string // as of a Request
	PluginDir     string
}

func (o On) request() plan.Request {
	device := cmp.Or(o.Device, plan.AutoDevice)
	if device == plan.AutoDevice {
		device = plan.CPUDevice
	}
	return plan.Request{Device: device, DeviceMemory: o.DeviceMemory, DeviceCPUTime: o.DeviceCPUTime,
		Threads: o.Threads, Timeout: o.Timeout, Log: o.Log, Allowed: o.Allowed, Unconfined: o.Unconfined,
		PluginDir: o.PluginDir}
}

// TrainRequest says what a model is to learn, and from what.
type TrainRequest struct {
	Model    neural.Model
	Features neural.FeatureSpec
	Label    string // the property of vertices that is learned
	// EdgeLabel is, in place of Label, a property of edges, whose values are learned; Links that it is learned where there
	// are edges, with so many Negatives for each (0: 1). Edges for validation and test pass no messages.
	EdgeLabel string
	Links     bool
	Negatives int
	Embedding int  // how many numbers are learned of each vertex, beside its features; 0: none
	Values    bool // integers are values, not classes
	// Split is a property that says train, validation or test, or shares such as "0.6,0.2,0.2"; empty: these, of edges
	// "0.8,0.1,0.1".
	Split string
	Seed  uint64
	// Batch has it learn from so many vertices at a time, or edges, by their sampled neighborhoods; 0: from all at a time,
	// over the whole graph. Fanout is how many neighbors of each vertex are kept, hop by hop; none: all. Scores are of the
	// whole graph in any case.
	Batch  int
	Fanout Fanouts
	On
	// Resume keeps what it has come to in CheckpointDir from time to time, and begins with that of the very same training
	// that did not end well, if there is one.
	Resume          bool
	CheckpointDir   string
	CheckpointEvery time.Duration // 0: DefaultCheckpointEvery
	// Plain neither hoists nor factors out; to measure what that brings.
	Plain bool
	// Held fuses nothing at edges: what is computed there is stored; to measure what fusing brings.
	Held bool
	// Whole has rows come of all vertices where the network does not fit the device, not of those alone that have an edge
	// to an interval; to measure what that brings.
	Whole bool
}

// TrainEvents are told how training goes on. Every field may be nil.
type TrainEvents struct {
	Launched func(Launch) // of each device
	Uploaded func(bytes, total uint64)
	Trained  func(TrainingEpoch)
	Noticed  func(error) // of what does not end the training, as a *CheckpointError
}

// TrainReport is what training, or prediction, did and cost.
type TrainReport struct {
	Graph    string                 `json:"graph"`
	Snapshot uint64                 `json:"snapshot"`
	Device   string                 `json:"device"`
	Kernel   string                 `json:"kernel"`
	Plugin   PluginReport           `json:"plugin"`
	Walls    []report.Wall          `json:"walls"`
	Memory   []report.ProcessMemory `json:"memory,omitempty"` // of the devices' processes
	Seconds  TrainSeconds           `json:"seconds"`
	Bytes    report.Bytes           `json:"bytes"`
	Peak     uint64                 `json:"peak_device_bytes"`
	Edges    uint64                 `json:"edges_processed"`
	Features TrainFeatures          `json:"features"`
	Split    map[string]int         `json:"split,omitempty"`
	PairReport
	Loss    float64       `json:"loss"`
	Batches *TrainBatches `json:"batches,omitempty"` // nil: it learned over the whole graph
	TrainWay
	Learner *LearnerReport  `json:"learner,omitempty"`      // nil: it is no MEGA program
	Resumed int             `json:"resumed_from,omitempty"` // the epoch after which it went on from a checkpoint
	Epochs  []TrainingEpoch `json:"history,omitempty"`
}

// PairReport is what there is to say of a model of edges, or of rows of vertices that are learned.
type PairReport struct {
	Baseline   *Baseline `json:"baseline,omitempty"`         // how well those do in the test who look at no vectors
	Unlabelled uint64    `json:"unlabelled_edges,omitempty"` // edges without a value
	// NewVertices are those of which the model has learned nothing, since it was trained without them.
	NewVertices int `json:"new_vertices,omitempty"`
}

// TrainSeconds are times. Epoch is the median of what an epoch takes to learn, without validation.
type TrainSeconds struct {
	Total float64 `json:"total"`
	Epoch float64 `json:"epoch"`
}

// TrainFeatures is the shape of the rows that a model reads.
type TrainFeatures struct {
	Width   int   `json:"width"`
	Entries int64 `json:"entries"` // that are not 0
	Sparse  bool  `json:"sparse"`
}

// Trained is a model that has learned, and how that went.
type Trained struct {
	Model  *trained.Model
	Report TrainReport
}

// Train has a device learn a model on the graph of snap, which stays open and unchanged.
//
// Errors: *algorithms.ExprError and *neural.ModelError (the model is wrong), *ExampleError (what it would learn from
// is), *store.UnknownPropertyError, *LossError, *RequestError, *plugins.Error; when ctx ends, an error that wraps its
// cause.
func (e *Engine) Train(ctx context.Context, snap *store.Snapshot, req TrainRequest, events TrainEvents) (*Trained,
	error) {
	t, err := e.train(ctx, snap, req, events)
	if err != nil {
		return nil, fmt.Errorf("train %s on graph %s: %w", req.Model.Name, snap.Manifest().Graph, err)
	}
	return t, nil
}

func (e *Engine) train(ctx context.Context, snap *store.Snapshot, req TrainRequest, events TrainEvents) (*Trained,
	error) {
	began := time.Now()
	l, err := newLesson(ctx, snap, req)
	if err != nil {
		return nil, err
	}
	var learned train.Learned
	done, err := e.compute(ctx, snap, req.On, req.Whole, l.network, events, func(s *train.Session) error {
		k, err := keeper(snap, l.req, s, events)
		if err == nil {
			learned, err = l.learn(ctx, s, k, events.Trained)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	done.Batches = batchesOf(l.network.Sampling, req.Batch, learned.Epochs)
	done.Seconds.Total = time.Since(began).Seconds()
	done.Split = namedCounts(l.parts)
	told(&done, learned)
	m, err := keptModel(ctx, snap, l.req, l.network.Compiled, learned, done)
	if err != nil {
		return nil, err
	}
	l.tell(m, &done)
	return &Trained{Model: m, Report: done}, nil
}

// keeper is where a training keeps what it has come to; nil: nowhere.
func keeper(snap *store.Snapshot, req TrainRequest, s *train.Session, events TrainEvents) (*train.Keeper, error) {
	if !req.Resume {
		return nil, nil
	}
	digest, err := s.Digest()
	if err != nil {
		return nil, err
	}
	m := snap.Manifest()
	course, err := json.Marshal([]any{req.Model, req.Features, req.Label, req.Values, req.Split, req.Seed, req.Plain,
		req.Batch, req.Fanout, req.Held, req.EdgeLabel, req.Links, req.Negatives, req.Embedding})
	if err != nil {
		return nil, err
	}
	if events.Noticed == nil {
		events.Noticed = func(error) {}
	}
	return &train.Keeper{
		Path:  filepath.Join(req.CheckpointDir, checkpoint.FileOf(m.Graph, string(course))),
		Of:    fmt.Sprintf("graph %s, snapshot %d, %s %s, %s", m.Graph, m.ID, s.About().Name, digest, course),
		Every: cmp.Or(req.CheckpointEvery, DefaultCheckpointEvery), Noticed: events.Noticed,
	}, nil
}

// splitOf is what the vertices are for, of which something is known.
func splitOf(ctx context.Context, snap *store.Snapshot, req TrainRequest, known []bool) (parts []dataset.Part,
	err error) {
	shares, are, err := dataset.ParseShares(req.Split)
	switch {
	case err != nil:
		return nil, &RequestError{Reason: err.Error()}
	case are:
		parts = shares.Draw(known, req.Seed)
	default:
		if parts, err = dataset.ReadSplit(ctx, snap, req.Split, known); err != nil {
			return nil, err
		}
	}
	if !slices.Contains(parts, dataset.Train) {
		return nil, &RequestError{Reason: fmt.Sprintf(
			"split %s has no vertex for training among the %d that have a label", req.Split, countTrue(known))}
	}
	return parts, nil
}

func countTrue(known []bool) (n int) {
	for _, is := range known {
		if is {
			n++
		}
	}
	return n
}

// numericProperties are the edge properties that an expression may name.
func numericProperties(m *store.Manifest) (names []string) {
	for _, p := range m.EdgeProperties {
		if strings.HasPrefix(p.Type, "float") || strings.HasPrefix(p.Type, "int") || strings.HasPrefix(p.Type, "uint") {
			names = append(names, p.Name)
		}
	}
	return names
}

// compute opens a session for a network, uses it, and reports.
func (e *Engine) compute(ctx context.Context, snap *store.Snapshot, on On, whole bool, network *train.Network,
	events TrainEvents, use func(*train.Session) error) (r TrainReport, err error) {
	req := on.request()
	s, err := train.Open(ctx, train.Input{Snap: snap, Request: req, Finder: e.finder(req), Machine: e.machine,
		Network: network, Whole: whole, Events: report.Events{Launched: events.Launched, Uploaded: events.Uploaded}})
	if err == nil {
		err = use(s)
	}
	if err != nil {
		s.Kill(err)
		return r, cause(ctx, err)
	}
	way, memory := s.Way(), s.Memory()
	if err := s.Close(); err != nil {
		return r, cause(ctx, err)
	}
	m, spent := snap.Manifest(), s.Rec.Meter.Total()
	return TrainReport{
		Graph: m.Graph, Snapshot: m.ID, Device: s.About().Name, Kernel: s.Plan.Kernel,
		Plugin: PluginReport{Name: s.About().Name, Version: s.About().Version, Digest: s.Digest}, Walls: s.Walls(),
		Memory: memory,
		Bytes:  spent.Bytes(), Peak: spent.Peak, Edges: spent.Edges,
		TrainWay: way,
		Features: TrainFeatures{network.Shape.Width, network.Shape.Entries, network.Shape.Sparse},
	}, nil
}

// told is what a report says of how learning went.
func told(r *TrainReport, l train.Learned) {
	r.Epochs, r.Resumed = l.Epochs, l.Resumed
	var took []time.Duration
	for _, e := range l.Epochs[l.Resumed:] {
		took = append(took, e.Took)
	}
	if slices.Sort(took); len(took) > 0 {
		r.Seconds.Epoch = took[len(took)/2].Seconds()
	}
	if len(l.Epochs) > 0 {
		r.Loss = l.Epochs[len(l.Epochs)-1].Loss
	}
}

// lesson is a network with all that it is to learn from, before a device has seen it.
type lesson struct {
	req     TrainRequest // with what is so where nothing is said
	network *train.Network
	parts   []dataset.Part // of the vertices, or of the pairs
	learn   func(context.Context, *train.Session, *train.Keeper, func(TrainingEpoch)) (train.Learned, error)
	tell    func(*trained.Model, *TrainReport) // what there is to say of such a lesson alone, when it has been learned
}

// newLesson reads what is to be learned.
func newLesson(ctx context.Context, snap *store.Snapshot, req TrainRequest) (*lesson, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	if err := req.checkBatches(); err != nil {
		return nil, err
	}
	if req.Split == "" {
		req.Split = req.defaultSplit()
	}
	shape, err := features(ctx, snap, req.Features)
	if err != nil {
		return nil, err
	}
	if req.ofPairs() {
		return lessonOfPairs(ctx, snap, req, shape)
	}
	return lessonOfVertices(ctx, snap, req, shape)
}

// lessonOfVertices is of a label of vertices.
func lessonOfVertices(ctx context.Context, snap *store.Snapshot, req TrainRequest, shape dataset.Features) (l *lesson,
	err error) {
	course := train.Course{Seed: req.Seed, Batch: req.Batch}
	if course.Targets, err = dataset.ReadTargets(ctx, snap, req.Label, req.Values); err != nil {
		return nil, err
	}
	if course.Parts, err = splitOf(ctx, snap, req, course.Targets.Known); err != nil {
		return nil, err
	}
	schema := neural.Schema{Features: shape.Width, Embedding: req.Embedding, Outputs: course.Targets.Outputs(),
		Task: course.Targets.Task, EdgeProperties: numericProperties(snap.Manifest()), Plain: req.Plain, Held: req.Held,
		Sampled: req.Fanout.Samples()}
	if course.Compiled, err = neural.Compile(req.Model, schema); err != nil {
		return nil, err
	}
	network := &train.Network{Compiled: course.Compiled, Features: req.Features, Shape: shape, Columns: course.Columns(),
		Passes: course.Passes()}
	if network.Sampling, err = req.sampling(course.Compiled, course.Columns(), 1); err != nil {
		return nil, err
	}
	if course.Batch > 0 {
		network.Columns = course.Whole()
	}
	return &lesson{req, network, course.Parts,
		func(ctx context.Context, s *train.Session, k *train.Keeper, tell func(TrainingEpoch)) (train.Learned, error) {
			course.Keeper = k
			return s.Learn(ctx, course, tell)
		},
		func(m *trained.Model, _ *TrainReport) {
			m.Classes, m.Integer = course.Targets.Classes, course.Targets.Integer
		}}, nil
}

// schedule is that of the pass that learns.
func (l *lesson) schedule() dataflow.Schedule {
	return dataflow.NewSchedule(l.network.Compiled.Program.Values, l.network.Passes[0].Roots...)
}
