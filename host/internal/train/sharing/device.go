package sharing

import (
	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/train/streaming"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Layout is how vertices and edges are divided among devices.
type Layout struct {
	Columns [2][]chunk.Interval // by end: of each device one, but for the last, which may have none
	OneEnd  bool                // lists are the same at both ends, and so are regions

	bounds [2][]uint64
	first  [2][]int
}

// NewLayout divides vertices.
func NewLayout(d streaming.Degrees, devices int, oneEnd bool) Layout {
	l := Layout{OneEnd: oneEnd}
	for end, degrees := range d.Of {
		l.Columns[end], l.first[end] = Columns(degrees, devices)
		for _, bound := range adjacency.Sections(degrees) {
			l.bounds[end] = append(l.bounds[end], uint64(bound))
		}
	}
	return l
}

// sections are those of a device at an end.
func (l *Layout) sections(end dataflow.End, device int) []uint64 {
	if device >= len(l.Columns[end]) {
		return l.bounds[end][len(l.bounds[end])-1:]
	}
	return l.bounds[end][l.first[end][device] : l.first[end][device+1]+1]
}

// column is the interval of a device at an end; the zero interval: it has none.
func (l *Layout) column(end dataflow.End, device int) (of chunk.Interval) {
	if device < len(l.Columns[end]) {
		of = l.Columns[end][device]
	}
	return of
}

// ends are those of a region.
func (l *Layout) ends(region int) []dataflow.End {
	if l.OneEnd {
		return []dataflow.End{dataflow.AtTarget, dataflow.AtSource}
	}
	return []dataflow.End{dataflow.End(region)}
}

// Device is one that holds an interval.
type Device struct {
	Stream *link.Stream
	Spent  *meter.Meter // of this device
	Grid   *plugins.Grid
	Pulled uint64 // bytes of rows that others have stored

	number  int
	regions [2]*region // by end
	window  streaming.Window
}

// region is what a device holds at an end.
type region struct {
	of      chunk.Interval
	slot    uint32
	staying grid.Staying
	size    grid.Size // of the only cell
	linked  bool      // there is one
	rows    map[*dataflow.Value]grid.Rows
	sparse  map[*dataflow.Value]grid.Rows
	sources []uint32
	far     map[*dataflow.Value][]float32
	near    map[*dataflow.Value]int // which version of rows of the interval is here, where another end has stored them
	has     map[*dataflow.Value]int // likewise of far ends
}

// readers are the passes as what stays is found by.
func readers(passes []streaming.Stages) (all []grid.Reader) {
	for _, p := range passes {
		all = append(all, grid.Reader{Stages: p.All(), Sparse: p.Sparse})
	}
	return all
}

// Place makes a device, and places what it holds.
func (l *Layout) Place(number int, passes []streaming.Stages, cells *streaming.Cells, rows *streaming.Rows,
	at *plan.Placer) *Device {
	d := &Device{number: number, Grid: &plugins.Grid{Shared: true, Stays: true, Each: 1}}
	for end := range d.Grid.Sections {
		d.Grid.Sections[end] = l.sections(dataflow.End(end), number)
		d.Grid.Each = max(d.Grid.Each, uint32(len(d.Grid.Sections[end])-1))
	}
	for end := range d.regions {
		if l.OneEnd && end > 0 {
			d.regions[end], d.Grid.Rows[end], d.Grid.Cells[end] = d.regions[0], d.Grid.Rows[0], d.Grid.Cells[0]
			break
		}
		r := &region{of: l.column(dataflow.End(end), number), slot: uint32(end), far: map[*dataflow.Value][]float32{},
			staying: grid.StayingAt(l.ends(end), readers(passes)), near: map[*dataflow.Value]int{},
			has: map[*dataflow.Value]int{}}
		r.size, r.linked = cells.Only(dataflow.End(end), number)
		d.regions[end] = r
		d.Grid.Rows[end] = at.Place(r.staying.Bytes(int(r.of.Count), r.entries(rows)))
		d.Grid.Cells[end] = at.Place(r.size.Bytes(r.staying.Far))
	}
	if sums := streaming.SumsBytes(passes); sums > 0 {
		d.Grid.Sums = at.Place(sums)
	}
	return d
}

// entries are those of the interval's sparse rows.
func (r *region) entries(rows *streaming.Rows) grid.Entries {
	return func(v *dataflow.Value) int64 { return rows.Entries(v, r.of.Base, r.of.End()) }
}

// Fill gives a device its edges, and the inputs of its interval and of its edges' far ends.
func (d *Device) Fill(memory *arena.Arena, cells *streaming.Cells, rows *streaming.Rows) error {
	for end, r := range d.regions {
		if end > 0 && r == d.regions[0] {
			break
		}
		bytes, err := d.fill(memory, r, dataflow.End(end), cells, rows)
		if err != nil {
			return err
		}
		d.Spent.Sent(bytes, 0)
	}
	return nil
}

func (d *Device) fill(memory *arena.Arena, r *region, end dataflow.End, cells *streaming.Cells, rows *streaming.Rows) (
	bytes uint64, err error) {
	at, err := memory.Bytes(d.Grid.Rows[end])
	if err != nil {
		return 0, err
	}
	if r.sparse, r.rows, err = r.staying.Place(at, int(r.of.Count), r.entries(rows)); err != nil {
		return 0, err
	}
	for _, some := range []map[*dataflow.Value]grid.Rows{r.sparse, r.rows} {
		for v, to := range some {
			if v.Op == dataflow.Input {
				size, err := rows.LoadInput(v, r.of, to)
				if bytes += size; err != nil {
					return bytes, err
				}
			}
		}
	}
	if !r.linked {
		return bytes, nil
	}
	if at, err = memory.Bytes(d.Grid.Cells[end]); err == nil {
		err = cells.ReadOnly(end, d.number, at)
	}
	if err != nil {
		return bytes, err
	}
	bytes += r.size.EdgeBytes()
	cell, err := grid.PlaceCell(at, r.size, r.staying.Far)
	if err != nil {
		return bytes, err
	}
	r.sources = cell.Sources
	for i, v := range r.staying.Far {
		if r.far[v] = cell.Far[i]; v.Op == dataflow.Input {
			size, err := rows.PickInput(v, r.sources, r.far[v], &d.window)
			if bytes += size; err != nil {
				return bytes, err
			}
		}
	}
	return bytes, nil
}

// Edges is how many lead to the interval of a device, as its lists have them.
func (d *Device) Edges() uint64 { return uint64(d.regions[dataflow.AtTarget].size.Edges) }

// Vertices is how many the device updates.
func (d *Device) Vertices() uint64 { return d.regions[dataflow.AtTarget].of.Count }
