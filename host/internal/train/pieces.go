package train

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/train/ring"
	"github.com/penstock-db/penstock/host/internal/train/streaming"
	"github.com/penstock-db/penstock/plugins"
)

// pieces is a network that devices compute interval by interval, from files of the host.
type pieces struct {
	*base
	*streaming.Runner
	batched bool      // what learns is no piece
	rows    []float32 // of the only root of the last pass that is of vertices
}

// openPieces has the devices compute the network by intervals, as few as fit their memory, and makes rows and cells
// ready. A device that cannot has the error that tells why not everything fits.
func openPieces(o *opening, full error) (Passer, error) {
	from, err := o.source()
	if err != nil {
		return nil, err
	}
	p := &pieces{base: o.base, Runner: &streaming.Runner{Passes: from.passes, Rec: o.Rec},
		batched: o.Network.Sampling != nil}
	if err := p.open(o, from, full); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *pieces) open(o *opening, from source, full error) (err error) {
	if p.Rows, err = streaming.NewRows(from.tensors, from.passes, o.vertices); err != nil {
		return err
	}
	if err := o.fillRows(from, p.Rows); err != nil {
		return err
	}
	var grids []*plugins.Grid
	p.Layout, grids, err = o.fit(from, p.Rows)
	if plugins.KindOf(err) == plugins.KindUnsupported || err == nil && !o.Plan.Grid {
		return full
	} else if err != nil {
		return err
	}
	rates, err := p.Rows.Measure()
	if err != nil {
		return err
	}
	// For some intervals rows of those far ends alone are brought that have an edge.
	filters := func(some []uint32, all int) bool { return !o.Whole && rates.Filters(some, all) }
	if p.Cells, err = o.cut(from, p.Layout, p.Rows, filters); err != nil {
		return err
	}
	return p.openLanes(o, grids)
}

// openLanes has the devices begin.
func (p *pieces) openLanes(o *opening, grids []*plugins.Grid) error {
	if len(o.group.Devices) > 1 {
		p.Ring = &ring.Ring{Rec: o.Rec}
	}
	for i, d := range o.group.Devices {
		o.talk(d)
		lane, err := streaming.NewLane(o.room.Arena, grids[i], d.Stream, &d.Spent)
		if err != nil {
			return err
		}
		p.Lanes = append(p.Lanes, lane)
		if err := o.join(p.Ring, i, grids[i]); err != nil {
			return err
		}
		if _, err := d.Stream.Do(plugins.Command{Op: plugins.Init}, nil); err != nil {
			return err
		}
	}
	return nil
}

// fit finds the fewest intervals that the devices have room for.
func (o *opening) fit(from source, rows *streaming.Rows) (layout streaming.Layout, grids []*plugins.Grid, err error) {
	all := streaming.Intervals(from.degrees, len(o.group.Devices))
	for _, each := range all {
		if layout, grids, err = o.fitIntervals(from, rows, each); !tooLarge(err) {
			return layout, grids, err
		}
	}
	if b := o.Network.Sampling; b != nil && len(all) > 0 {
		err = smaller(b, err, func() error {
			_, _, err := o.fitIntervals(from, rows, all[len(all)-1])
			return err
		})
	}
	return layout, grids, err
}

// fitIntervals has the devices compile the network with intervals of so many sections.
func (o *opening) fitIntervals(from source, rows *streaming.Rows, each uint32) (layout streaming.Layout,
	grids []*plugins.Grid, err error) {
	layout = streaming.NewLayout(from.network, from.passes, from.degrees, each, rows.Entries)
	o.at = o.placeShared(from)
	p := plan.Placer{Used: o.at.size}
	for range o.group.Devices {
		grids = append(grids, layout.Place(&p, len(o.group.Devices) > 1, streaming.SumsBytes(from.passes)))
	}
	o.at.size = p.Used
	if err = o.room.take(o.ctx, o.Snap, o.at.size); err == nil {
		err = o.compileGrids(grids)
	}
	if tooLarge(err) {
		o.room.giveUp()
	}
	return layout, grids, err
}

// Pass has the devices compute a pass piece by piece, and reads what it says of vertices.
func (p *pieces) Pass(ctx context.Context, number int, dropout dataflow.Dropout) error {
	if err := p.Runner.Pass(ctx, number, dropout); err != nil {
		return err
	}
	for _, root := range p.at.network.Passes[number].Roots {
		if !ofVertices(root) {
			continue
		}
		p.rows = grown(p.rows, int(numbers(root, p.vertices)))
		if err := p.Rows.All(number, root, p.rows); err != nil {
			return err
		}
	}
	return nil
}

// Result is what the last pass has left of a root.
func (p *pieces) Result(number int, root *dataflow.Value) []float32 {
	if ofVertices(root) {
		return p.rows
	}
	return p.resultOfSums(number, root)
}

// Write gives an input other rows.
func (p *pieces) Write(name string, rows []float32) error {
	return p.Rows.Input(name, func(put func(v uint64, numbers []float32, places []uint32) error) error {
		return put(0, rows, nil)
	})
}

// Pieces is how a network was cut that did not fit the device.
type Pieces struct {
	Intervals int    `json:"intervals"` // of vertices
	Filtered  int    `json:"filtered"`  // of them, at both ends, those that get rows of far ends with an edge alone
	Cells     int    `json:"cells"`     // of edges
	Files     uint64 `json:"files"`     // bytes of temporary files: rows of all vertices, and cells
	Epoch     uint64 `json:"epoch"`     // bytes that a pass of an epoch brings and takes back
	Expected  uint64 `json:"expected"`  // by the paper's sum, bytes of all passes; Bytes.Transfer is what they were
}

// Way is how the network was cut, and what each of several devices has.
func (p *pieces) Way() (w Way) {
	w.Pieces = &Pieces{Filtered: p.Cells.Filtered, Cells: p.Cells.Count(), Files: p.Rows.Size() + p.Cells.Size(),
		Expected: p.Expected()}
	for _, columns := range p.Layout.Columns {
		w.Pieces.Intervals = max(w.Pieces.Intervals, len(columns))
	}
	each := learnPass
	if p.batched {
		each = tellPass
	}
	_, w.Pieces.Epoch = p.Bytes(each)
	if p.Ring == nil {
		return w
	}
	w.Expected = p.Exchanged()
	columns := p.Layout.Columns[dataflow.AtTarget]
	for i, d := range p.group.Devices {
		share := shareOf(d)
		for k := i; k < len(columns); k += len(p.group.Devices) {
			share.Intervals++
			share.Vertices += columns[k].Count
			share.Edges += p.Cells.Edges(dataflow.AtTarget, k)
		}
		share.Reduced = p.Ring.Members[i].Sent
		w.Devices = append(w.Devices, share)
	}
	return w
}
