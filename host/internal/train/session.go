package train

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/host/internal/train/halving"
	"github.com/penstock-db/penstock/host/internal/train/sampling"
	"github.com/penstock-db/penstock/host/internal/train/sharing"
	"github.com/penstock-db/penstock/host/internal/train/streaming"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// Input is what a session is opened with.
type Input struct {
	Snap    *store.Snapshot
	Request plan.Request // Device, DeviceMemory, Threads, Timeout and Log
	Finder  device.Finder
	Machine uint64 // bytes of this machine's memory
	Network *Network
	Whole   bool // where it is computed by intervals, rows come of all vertices, not of those alone that have an edge
	Events  report.Events
}

// Session is a device with a network and the lists of a graph, ready for passes.
type Session struct {
	Plan plugins.Plan
	Rec  *meter.Recorder

	ctx        context.Context
	fail       context.CancelCauseFunc
	group      *device.Group
	cache      *supply.Cache
	at         places
	parameters []float32
	results    [][]float32 // of each pass
	roots      []Pass
	vertices   uint64
	giveBack   func()            // to the account of the context; nil: nothing was taken
	pieces     *streaming.Runner // nil: everything stays on the devices
	sharing    *sharing.Runner   // of several devices that hold everything
	grids      []*plugins.Grid   // of each device, with pieces
	halves     *halving.Runner   // of two devices, one of which looks at edges
	batches    *sampling.Batches // nil: passes are over the whole graph
	rows       []float32         // with either: of the only root of the last pass that is of vertices
	heldOut    *dataset.HeldOut
}

// Open starts a device, gives it the network and the lists, and leaves it ready. Parameters are 0. The caller closes
// what it returns or, after an error too, kills it. An error that ends the context of ctx is its cause.
func Open(ctx context.Context, in Input) (*Session, error) {
	ctx, fail := context.WithCancelCause(ctx)
	s := &Session{ctx: ctx, fail: fail, Rec: meter.New(0, func(report.Span) {}), roots: in.Network.Passes,
		vertices: in.Snap.Manifest().Vertices, heldOut: in.Network.HeldOut}
	err := s.open(in)
	if err != nil && context.Cause(ctx) != nil {
		err = context.Cause(ctx)
	}
	return s, err
}

// opening is a session on its way: what it is opened with, and what that comes to.
type opening struct {
	*Session
	Input
	computation plan.Computation
	chunks      map[chunk.Direction][]plan.Chunk
	events      report.Events
}

func (s *Session) open(in Input) error {
	req := in.Request
	req.Timeout = cmp.Or(req.Timeout, plan.DefaultTimeout)
	devices, parts, err := in.Finder.Find(req.Device)
	if err != nil {
		return err
	}
	s.group = device.NewGroup(s.ctx, s.fail, req, devices, parts)
	o := &opening{Session: s, Input: in, events: in.Events.Filled(),
		computation: plan.Computation{EdgeNames: dataflow.EdgeProperties(in.Network.values())}}
	var slot uint64
	if o.chunks, slot, err = allChunks(o.computation, in.Snap); err != nil {
		return err
	}
	if err := s.group.Start(s.ctx, in.Machine); err != nil {
		return err
	}
	s.group.Tell(o.events.Launched)
	if b := in.Network.Sampling; b != nil {
		if len(devices) > 1 {
			return &plan.DevicesError{Devices: req.Device, Algorithm: "a neural network",
				Reason: "batches are sampled for one"}
		}
		degrees, err := o.listLengths(neural.LooksAtEdges(in.Network.values()))
		if err != nil {
			return err
		}
		b.measure(degrees, in.Network.Compiled.Model.SelfLoops)
	}
	if varies := slices.ContainsFunc(in.Network.values(), func(v *dataflow.Value) bool { return v.Varies }); varies &&
		(parts || len(devices) > 1) {
		return &plan.DevicesError{Devices: req.Device, Reason: "rows that are learned of vertices, and edges, are computed " +
			"by one device"}
	}
	switch {
	case parts:
		return openHalves(o, slot)
	case len(devices) > 1:
		return o.openSeveral()
	}
	if err = o.resident(slot); err == nil {
		err = o.checkRoom()
	}
	if tooLarge(err) {
		s.giveUpMemory()
		if err = o.openPieces(err); err == nil {
			err = openBatches(o)
		}
		return err
	}
	if err == nil {
		err = in.Network.fill(s.ctx, in.Snap, s.cache.Arena, s.at)
	}
	if err != nil {
		return err
	}
	s.group.Talk(s.ctx, s.fail, s.only(), s.vertices, s.Rec, o.events)
	if err := o.give(); err != nil {
		return err
	}
	return openBatches(o)
}

// only is the device where there is one.
func (s *Session) only() *device.Device { return s.group.Devices[0] }

// About is what the devices are together.
func (s *Session) About() plugins.Description { return s.group.Describe() }

// Digest is that of the device's program; of several, all of theirs.
func (s *Session) Digest() (string, error) { return s.group.Digest() }

// resident has the device compile the network with everything in its memory.
func (o *opening) resident(slot uint64) error {
	o.at = o.Network.place(o.vertices, slot)
	if err := o.takeMemory(o.Snap); err != nil {
		return err
	}
	if err := supply.FillInputs(o.ctx, o.Snap, o.cache.Arena, o.at.layout); err != nil {
		return err
	}
	if err := o.keptDegrees(o.Snap); err != nil {
		return err
	}
	return o.compile()
}

// tooLarge says whether less would fit: the device's memory, or this program's.
func tooLarge(err error) bool {
	var full *memory.FullError
	return plugins.KindOf(err) == plugins.KindBudget || errors.As(err, &full)
}

// checkRoom refuses chunks for which the device has no room beside all else.
func (o *opening) checkRoom() error {
	need := o.Plan.Fixed
	for _, each := range o.wanted() {
		need = max(need, o.Plan.Fixed+uint64(each.Size))
	}
	if d := o.only(); d.Budget > 0 && need > d.Budget {
		err := plugins.Errorf(plugins.KindBudget, "the task and its largest chunk need %d bytes: have %d", need, d.Budget)
		err.Device = d.Name
		return err
	}
	return nil
}

// wanted are the chunks that the device's plan asks for.
func (o *opening) wanted() (wanted []plan.Chunk) {
	for _, d := range o.Plan.Directions {
		if d == chunk.Both {
			d = chunk.Out
		}
		wanted = append(wanted, o.chunks[d]...)
	}
	return wanted
}

// takeMemory makes the arena.
func (s *Session) takeMemory(snap *store.Snapshot) (err error) {
	if account := memory.Of(s.ctx); account != nil {
		size := int64(s.at.size)
		if err := account.Take(s.ctx, size); err != nil {
			return err
		}
		s.giveBack = func() { account.Give(size) }
	}
	s.cache, err = supply.NewCache(snap, plan.Arena{}, s.at.size)
	return err
}

// giveUpMemory gives it back.
func (s *Session) giveUpMemory() {
	if s.cache != nil {
		s.cache.Close()
		s.cache = nil
	}
	if s.giveBack != nil {
		s.giveBack()
		s.giveBack = nil
	}
}

// compile has the device make the network ready.
func (o *opening) compile() (err error) {
	if err := o.bind(); err != nil {
		return err
	}
	o.Plan, err = o.group.Compile(o.job(o.only()), plugins.Task{Network: o.at.network}, []plugins.Layout{o.at.layout})
	return err
}

// job is what a device is opened with.
func (o *opening) job(d *device.Device) plugins.Job {
	m := o.Snap.Manifest()
	return plugins.Job{Arena: o.cache.Arena, Budget: d.Budget, Threads: o.Request.Threads, Graph: plugins.Graph{
		Name: m.Graph, Snapshot: m.ID, Vertices: m.Vertices, Edges: m.Edges, Directed: m.Directed}}
}

// bind finds parameters and results in the arena.
func (s *Session) bind() (err error) {
	s.results = nil
	if s.parameters, err = s.cache.Arena.Float32s(s.at.network.Parameters); err != nil {
		return err
	}
	for _, p := range s.at.network.Passes {
		result, err := s.cache.Arena.Float32s(p.At)
		if err != nil {
			return err
		}
		s.results = append(s.results, result)
	}
	return nil
}

// give gives the device the lists that its plan asks for, chunk by chunk.
func (o *opening) give() error {
	if _, err := o.only().Stream.Do(plugins.Command{Op: plugins.Init}, nil); err != nil {
		return err
	}
	wanted, total, done := o.wanted(), uint64(0), uint64(0)
	for _, each := range wanted {
		total += uint64(each.Size)
	}
	from := supply.New(o.Snap, o.cache, wanted, o.computation.EdgeNames, o.Rec)
	defer from.Release()
	for i := range wanted {
		at, err := from.ReadTo(o.ctx, i, o.at.slot)
		if err == nil && o.heldOut != nil {
			at, err = keep(o.Session, at)
		}
		if err != nil {
			return err
		}
		o.Rec.Meter.Sent(at.Length, 0)
		for _, command := range []plugins.Command{{Op: plugins.Upload, At: at}, {Op: plugins.Step}, {Op: plugins.Evict}} {
			command.Chunk = uint32(i)
			if _, err := o.only().Stream.Do(command, nil); err != nil {
				return err
			}
		}
		done += uint64(wanted[i].Size)
		o.events.Uploaded(done, total)
	}
	_, err := o.only().Stream.Do(plugins.Command{Op: plugins.Apply}, nil)
	return err
}

// Of is the numbers of a parameter, which may be changed between passes.
func (s *Session) Of(parameter *dataflow.Value) []float32 {
	at := uint64(0)
	for _, v := range s.at.network.Values {
		if v.Op != dataflow.Parameter {
			continue
		}
		size := numbers(v, s.vertices)
		if v == parameter {
			return s.parameters[at : at+size]
		}
		at += size
	}
	return nil
}

// Result is what the last Pass of a number has computed of a root.
func (s *Session) Result(pass int, root *dataflow.Value) []float32 {
	if s.halves != nil {
		return s.halves.Of(pass, root)
	}
	if !s.holds() && root.Place == dataflow.Vertices {
		return s.rows
	}
	at := uint64(0)
	for _, v := range s.roots[pass].Roots {
		if !s.holds() && v.Place == dataflow.Vertices {
			continue // the host has them
		}
		size := numbers(v, s.vertices)
		if v == root {
			return s.results[pass][at : at+size]
		}
		at += size
	}
	return nil
}

// holds says whether one device holds everything.
func (s *Session) holds() bool { return s.pieces == nil && s.sharing == nil }

// Pass has the device compute the roots of a pass.
func (s *Session) Pass(number int, dropout dataflow.Dropout) error {
	switch {
	case s.halves != nil:
		return s.halves.Pass(s.ctx, number, dropout)
	case s.pieces != nil:
		return s.passPieces(number, dropout)
	case s.sharing != nil:
		return s.passSharing(number, dropout)
	}
	_, err := s.only().Stream.Do(plugins.Command{Op: plugins.Pass, Pass: uint32(number), Seed: dropout.Seed,
		Epoch: uint32(dropout.Epoch)}, nil)
	return err
}

// Close ends the device, which has answered everything.
func (s *Session) Close() error {
	for _, d := range s.group.Devices {
		if err := d.Stream.Finish(); err != nil {
			s.Kill(err)
			return err
		}
	}
	s.group.Spare()
	s.group.CloseSessions()
	s.group.Close()
	s.release()
	return nil
}

// Kill ends what has been opened at once, since err happened.
func (s *Session) Kill(err error) {
	s.fail(err)
	if s.group != nil {
		s.group.Kill()
	}
	s.release()
}

// release gives up what is left when the device has ended.
func (s *Session) release() {
	s.fail(nil)
	if s.group != nil {
		for _, d := range s.group.Devices {
			if d.Stream != nil {
				d.Stream.Wait()
			}
		}
	}
	if s.pieces != nil {
		s.pieces.Close()
	}
	if s.batches != nil {
		s.batches.Close()
	}
	s.giveUpMemory()
}

// allChunks are the chunks of each direction, and the room that the largest needs.
func allChunks(c plan.Computation, snap *store.Snapshot) (map[chunk.Direction][]plan.Chunk, uint64, error) {
	all, slot := map[chunk.Direction][]plan.Chunk{}, uint64(0)
	for _, d := range plan.Directions(snap.Manifest()) {
		chunks, err := c.Chunks(snap, d)
		if err != nil {
			return nil, 0, err
		}
		for _, each := range chunks {
			slot = max(slot, plan.SlotBytes(uint64(each.Size)))
		}
		all[d] = chunks
	}
	return all, slot, nil
}
