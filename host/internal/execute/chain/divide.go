package chain

import (
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// divider cuts what is uploaded into the parts of devices. A device owns the edges that lead to its share of the
// vertices: those of its columns where messages are pushed along rows, those of its rows where they are pulled. (Ma et
// al., "NeuGraph", ATC'19, section 4.2, has each device see to edge columns of the grid.)
//
//	chunk, in the arena or a file ──select, for each device──▶ Selections ──encode, all at once──▶ parts, in the arena
//
// Parts of chunks that plan.Parts says are kept are cut once in a run.
type divider struct {
	plan    *plan.Plan
	shares  []chunk.Interval
	memory  *arena.Arena
	rec     *meter.Recorder
	keeping *arena.Region
	passing *arena.Region

	mu   sync.Mutex // protects kept: others ask what is
	kept map[uint32][]part
}

// part is what a device is given of a chunk.
type part struct {
	at     arena.Range // empty: the device has no edge of the chunk
	others uint64      // bytes of it that are edges of another device, which come before its own in a sum
	free   func()      // once the device has evicted it
}

func newDivider(p *plan.Plan, shares []chunk.Interval, memory *arena.Arena, rec *meter.Recorder) *divider {
	return &divider{plan: p, shares: shares, memory: memory, rec: rec, keeping: arena.NewRegion(p.Fit.Parts.Kept.Length),
		passing: arena.NewRegion(p.Fit.Parts.Passing.Length), kept: map[uint32][]part{}}
}

// keeps tells whether the parts of a chunk are there and stay.
func (d *divider) keeps(number int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.kept[uint32(number)] != nil
}

// divide makes a part of what is uploaded for each device that has an edge of it.
func (d *divider) divide(upload plugins.Command) ([]part, error) {
	d.mu.Lock()
	parts := d.kept[upload.Chunk]
	d.mu.Unlock()
	if parts != nil {
		return parts, nil
	}
	began := time.Now()
	whole, err := d.open(upload)
	if err != nil {
		return nil, err
	}
	defer whole.Release()
	stored := int(upload.Chunk) < len(d.plan.Chunks)
	sums := d.plan.PullsSums() && (stored || d.plan.Fit.CutsSums(d.plan.Sizes()))
	if parts, err = d.cut(whole, sums, int(upload.Chunk) < d.plan.Fit.Parts.Chunks); err != nil {
		return nil, err
	}
	var bytes uint64
	for _, p := range parts {
		bytes += p.at.Length
	}
	d.rec.Meter.Cut(int(bytes), time.Since(began))
	d.rec.Trace.Stage("divide", began, bytes)
	if int(upload.Chunk) < d.plan.Fit.Parts.Chunks {
		d.mu.Lock()
		d.kept[upload.Chunk] = parts
		d.mu.Unlock()
	}
	return parts, nil
}

// open looks at a chunk where it lies, with the edge columns of the task.
func (d *divider) open(upload plugins.Command) (*chunk.Chunk, error) {
	if upload.File == "" {
		bytes, err := d.memory.Bytes(upload.At)
		if err != nil {
			return nil, err
		}
		return chunk.Open(bytes)
	}
	bytes, err := d.memory.File(upload.File, upload.At)
	if err != nil {
		return nil, err
	}
	stored, err := chunk.OpenUnaligned(bytes)
	if err != nil {
		return nil, err
	}
	defer stored.Release()
	return stored.Project(d.plan.EdgeNames...)
}

// cut makes the parts of a chunk, of all devices at once; sums: those that are pulled along it keep their bits.
func (d *divider) cut(whole *chunk.Chunk, sums, keep bool) ([]part, error) {
	selections, others := d.sel(whole, sums)
	parts := make([]part, len(selections))
	var all errgroup.Group
	for i, s := range selections {
		if s.Edges() > 0 {
			all.Go(func() (err error) {
				parts[i], err = d.encode(s, keep)
				parts[i].others = others[i]
				return err
			})
		}
	}
	return parts, all.Wait()
}

// encode puts a part in its place.
func (d *divider) encode(s cut.Selection, keep bool) (p part, err error) {
	graph, err := cut.Join(s)
	if err != nil {
		return p, err
	}
	graph.Compact()
	if p, err = d.place(uint64(graph.EncodedSize()), keep); err != nil {
		return p, err
	}
	dst, err := d.memory.Bytes(p.at)
	if err != nil {
		return p, err
	}
	_, err = graph.EncodeTo(dst, 1)
	return p, err
}

// place finds a place for a part.
func (d *divider) place(bytes uint64, keep bool) (p part, err error) {
	region, within, room := d.keeping, d.plan.Fit.Parts.Kept, bytes
	if !keep { // all are as large, so that each fits where another was
		region, within, room = d.passing, d.plan.Fit.Parts.Passing, max(bytes, d.plan.Fit.Parts.Each)
	}
	at, err := region.Alloc(room)
	if err != nil {
		return p, err
	}
	if p.free = func() {}; !keep {
		p.free = func() { _ = region.Free(at) } // which Alloc has returned
	}
	p.at = arena.Range{Offset: within.Offset + at.Offset, Length: bytes}
	return p, nil
}

// sel takes each device's edges out of a chunk, and says how many bytes of them are another's.
func (d *divider) sel(whole *chunk.Chunk, sums bool) (all []cut.Selection, others []uint64) {
	all, others = make([]cut.Selection, len(d.shares)), make([]uint64, len(d.shares))
	if !d.plan.Kernel.ActiveRows {
		entry := uint64(4)
		for _, f := range whole.Columns() {
			entry += uint64(chunk.Width(f))
		}
		for i, share := range d.shares {
			s, before := cut.Rows(whole, share, sums)
			all[i], others[i] = s, entry*uint64(before)
		}
		return all, others
	}
	var cols []chunk.Interval
	var of []int
	for i, share := range d.shares {
		if c := within(share, whole.Meta().Cols); c.Count > 0 {
			cols, of = append(cols, c), append(of, i)
		}
	}
	division := cut.Divide(whole, cols)
	for q, i := range of {
		all[i] = division.All(whole, q)
	}
	return all, others
}

// within is the part of an interval that lies in another.
func within(i, of chunk.Interval) chunk.Interval {
	base := max(i.Base, of.Base)
	return chunk.Interval{Base: base, Count: max(base, min(i.End(), of.End())) - base}
}
