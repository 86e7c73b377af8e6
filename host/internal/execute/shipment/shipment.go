// Package shipment puts together what is on the device at the same time.
//
//	Loads ──choose, two at once──▶ cargo ──pack──▶ shipments ──fill, two at once──▶ slots
//
// A load is what a schedule sends of a chunk; choose takes the lists of its active vertices out of the chunk, if that
// is less. pack assigns what comes to slots of the arena, of which there are as many as the budget has room for; it
// waits for slots. fill reads and copies it there.
package shipment

import (
	"context"
	"iter"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Shipment is what is on the device together, in one slot.
type Shipment struct {
	Slot    *plan.Slot      // nil: the only chunk has a place of its own, and is to stay there
	Whole   []int           // chunks as they are stored
	Parts   []cut.Selection // lists that are put together as one chunk
	reads   []uint64        // of each in Whole, what the device takes of it by itself, in bytes; 0: all
	Senders []Senders       // whose edges these are all of, for Settle
	Rounds  int
	Uploads []plugins.Command
	Group   int            // of the loads
	Times   schedule.Times // so far
	Err     error
}

// AddUpload has the device be given a chunk that lies there.
func (s *Shipment) AddUpload(number uint32, at arena.Range) {
	s.Uploads = append(s.Uploads, plugins.Command{Op: plugins.Upload, Chunk: number, At: at})
}

// Carry has the i-th upload pass over the link.
func (s *Shipment) Carry(ctx context.Context, e *execute.Env, i int) {
	bytes := s.Uploads[i].At.Length
	if s.Uploads[i].Among.Length > 0 {
		bytes = s.reads[i]
	}
	s.Times.Transfer += e.Rec.Carry(ctx, bytes)
	s.Times.Bytes += bytes
}

// Stays tells whether the i-th of a shipment's chunks is to stay on the device: it has a place of its own there, and is
// given whole.
func (l *Loader) Stays(s *Shipment, i int) bool {
	return i < len(s.Whole) && s.Whole[i] < l.Plan.Fit.Kept && (i >= len(s.reads) || s.reads[i] == 0)
}

// Loader makes shipments of what a schedule sends.
type Loader struct {
	*execute.Env
	Active   []uint64                     // the active set, which is the arena's own
	Priority *schedule.Priority           // nil: no active vertex waits
	Degrees  map[chunk.Direction][]uint32 // nil: lists are not those of senders
	// Units are what the schedule decides on, by the number of a Load.
	Units []Unit
	Free  chan *plan.Slot
	Sent  []uint64 // of each chunk, bytes of lists that were cut out of it
	// Divisions are by the columns of the schedule's grid, if it has one.
	Divisions *Divisions

	sizes  plan.Sizes
	places chunk.Places // which entries of lists the iteration is to send
}

// NewLoader gets at what the schedule looks at: the active set and the degrees of senders, 4 bytes a vertex and
// direction. All slots are free.
func NewLoader(ctx context.Context, env *execute.Env) (*Loader, error) {
	p := env.Plan
	active, err := env.Arena().Uint64s(p.Task.Layout.Active)
	if err != nil {
		return nil, err
	}
	l := &Loader{Env: env, Active: active, Free: make(chan *plan.Slot, len(p.Fit.Slots)),
		sizes: p.Sizes()}
	for i := range p.Fit.Slots {
		l.Free <- &p.Fit.Slots[i]
	}
	if p.Streaming.Priority {
		first := p.Task.Program.State[0]
		l.Priority = &schedule.Priority{Ints: first.Type == algorithms.Int, Largest: p.Task.Program.Reduce == algorithms.Max}
		at := slices.IndexFunc(p.Task.Layout.Columns, func(c plugins.VertexColumn) bool { return c.Name == first.Name })
		if l.Priority.Column, err = env.Arena().Uint64s(p.Task.Layout.Columns[at].Range); err != nil {
			return nil, err
		}
	}
	if !p.Streaming.Degrees {
		l.divide()
		return l, nil
	}
	l.Degrees = map[chunk.Direction][]uint32{}
	for _, c := range p.Chunks {
		if d := c.Info.Direction; l.Degrees[d] == nil {
			degrees := make([]uint32, p.Graph.Manifest().Vertices)
			if err := env.Snap.Degrees(ctx, d, degrees); err != nil {
				return nil, err
			}
			l.Degrees[d] = degrees
		}
	}
	l.divide()
	return l, nil
}

// Lists are the rows of a unit, and how many edges each vertex has in it.
func (l *Loader) Lists(number int) (rows chunk.Interval, degrees []uint32) {
	u := l.Units[number]
	return u.Rows, u.degrees
}

// Shipments are what the loads come to, in their order, while the next are being made.
func (l *Loader) Shipments(ctx context.Context, loads []schedule.Load, places chunk.Places) iter.Seq[*Shipment] {
	l.places = places
	tasks := func(ctx context.Context) iter.Seq[*Shipment] { return l.pack(ctx, loads) }
	return supply.InOrder(ctx, tasks, l.fill)
}

// pack makes shipments of loads. It waits for slots.
func (l *Loader) pack(ctx context.Context, loads []schedule.Load) iter.Seq[*Shipment] {
	return func(yield func(*Shipment) bool) {
		p := packer{Loader: l, ctx: ctx, yield: yield}
		tasks := func(context.Context) iter.Seq[schedule.Load] { return slices.Values(loads) }
		for c := range supply.InOrder(ctx, tasks, l.choose) {
			if !p.add(c) {
				return
			}
		}
		p.flush()
	}
}
