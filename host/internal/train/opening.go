package train

import (
	"cmp"
	"context"
	"fmt"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
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

// opening is a session on its way: what it is opened with, and what that comes to.
type opening struct {
	*base
	Input
	computation plan.Computation
	chunks      map[chunk.Direction][]plan.Chunk
	slot        uint64 // bytes that the largest of them takes
	events      report.Events
}

// Open starts devices, gives them the network and the lists, and leaves them ready. Parameters are 0. The caller closes
// what it returns or, after an error too, kills it. An error that ends the context of ctx is its cause.
func Open(ctx context.Context, in Input) (*Session, error) {
	ctx, fail := context.WithCancelCause(ctx)
	s := &Session{base: &base{ctx: ctx, fail: fail, Rec: meter.New(0, func(report.Span) {}),
		vertices: in.Snap.Manifest().Vertices}}
	err := s.open(in)
	if err != nil && context.Cause(ctx) != nil {
		err = context.Cause(ctx)
	}
	return s, err
}

// open finds a way in which the devices can compute the network.
func (s *Session) open(in Input) error {
	o := &opening{base: s.base, Input: in, events: in.Events.Filled(),
		computation: plan.Computation{EdgeNames: dataflow.EdgeProperties(in.Network.values())}}
	if o.Request.Timeout < 0 {
		return &plan.RequestError{Reason: "the timeout cannot be negative"}
	}
	o.Request.Timeout = cmp.Or(o.Request.Timeout, plan.DefaultTimeout)
	devices, parts, err := in.Finder.Find(in.Request.Device)
	if err != nil {
		return err
	}
	s.group = device.NewGroup(s.ctx, s.fail, o.Request, devices, parts)
	if err := o.start(); err != nil {
		return err
	}
	if err := o.refuse(); err != nil {
		return err
	}
	way := openAlone
	switch {
	case parts:
		way = openHalves
	case len(devices) > 1:
		way = openSeveral
	}
	if s.Passer, err = way(o); err != nil {
		return err
	}
	s.batches, err = openBatches(o, s.Passer)
	return err
}

// start starts the devices, and finds out how large lists and batches are.
func (o *opening) start() (err error) {
	if o.chunks, o.slot, err = allChunks(o.computation, o.Snap); err != nil {
		return err
	}
	if err := o.group.Start(o.ctx, o.Machine); err != nil {
		return err
	}
	o.group.Tell(o.events.Launched)
	return nil
}

// refuse refuses batches where devices compute halves, and measures them.
func (o *opening) refuse() error {
	if b := o.Network.Sampling; b != nil {
		if o.group.Parts {
			return &plan.RequestError{Reason: fmt.Sprintf("devices %s compute stages of the whole graph in halves: batches are learned "+
				"by one device, or divided among several with a comma in between, as cpu,cpu", o.Request.Device)}
		}
		degrees, err := o.listLengths(neural.LooksAtEdges(o.Network.values()))
		if err != nil {
			return err
		}
		b.measure(degrees, o.Network.Compiled.Model.SelfLoops, len(o.group.Devices))
	}
	return nil
}

// openAlone has one device compute everything in its memory or, where it has no room for that, piece by piece.
func openAlone(o *opening) (Passer, error) {
	err := o.compileResident()
	if tooLarge(err) {
		o.room.giveUp()
		return openPieces(o, err)
	}
	if err != nil {
		return nil, err
	}
	return openResident(o)
}

// talk has a device listen to commands.
func (o *opening) talk(d *device.Device) { o.group.Talk(o.ctx, o.fail, d, o.vertices, o.Rec, o.events) }

// job is what a device is opened with.
func (o *opening) job(d *device.Device) plugins.Job {
	m := o.Snap.Manifest()
	return plugins.Job{Arena: o.room.Arena, Budget: d.Budget, Threads: o.Request.Threads, Graph: plugins.Graph{
		Name: m.Graph, Snapshot: m.ID, Vertices: m.Vertices, Edges: m.Edges, Directed: m.Directed}}
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
