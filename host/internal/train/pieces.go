package train

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/host/internal/train/ring"
	"github.com/penstock-db/penstock/host/internal/train/streaming"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// source is a network with its inputs, as intervals need them.
type source struct {
	network *plugins.Network
	tensors []plugins.Tensor // with degrees
	passes  []streaming.Stages
	degrees streaming.Degrees
}

// source finds what a network reads.
func (o *opening) source() (from source, err error) {
	from.network = &plugins.Network{Values: o.Network.values(), SelfLoops: o.Network.Compiled.Model.SelfLoops}
	for _, p := range o.Network.Passes {
		from.network.Passes = append(from.network.Passes, plugins.NetworkPass{Roots: p.Roots, Batched: p.Batched})
	}
	from.tensors = o.Network.placeInputs(&plan.Placer{}, from.network.Values, o.vertices)
	for _, name := range degreesIn(from.network.Values) {
		from.tensors = append(from.tensors, plugins.Tensor{Name: name, Numbers: arena.Range{Length: 4 * o.vertices}})
	}
	from.passes = streaming.StagesOf(from.network, func(v *dataflow.Value) bool {
		return slices.ContainsFunc(from.tensors, func(t plugins.Tensor) bool {
			return t.Name == v.Name && t.Offsets != (arena.Range{})
		})
	})
	from.network.Inputs = from.tensors
	from.degrees, err = o.listLengths(neural.LooksAtEdges(from.network.Values))
	return from, err
}

// fillRows writes inputs, but for degrees, to their rows.
func (o *opening) fillRows(from source, rows *streaming.Rows) error {
	for _, t := range from.tensors {
		err := rows.Input(t.Name, func(put func(v uint64, numbers []float32, places []uint32) error) error {
			if t.Name == neural.InputFeatures {
				return dataset.Stream(o.ctx, o.Snap, o.Network.Features, o.Network.Shape, put)
			}
			return put(0, o.Network.Columns[t.Name], nil)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// openPieces has the devices compute the network by intervals, as few as fit their memory, and makes rows and cells
// ready. A device that cannot has the error that tells why not everything fits.
func (o *opening) openPieces(full error) error {
	from, err := o.source()
	if err != nil {
		return err
	}
	o.pieces = &streaming.Runner{Passes: from.passes, Rec: o.Rec}
	if o.pieces.Rows, err = streaming.NewRows(from.tensors, from.passes, o.vertices); err != nil {
		return err
	}
	if err := o.fillRows(from, o.pieces.Rows); err != nil {
		return err
	}
	if err := o.fit(from); plugins.KindOf(err) == plugins.KindUnsupported || err == nil && !o.Plan.Grid {
		return full
	} else if err != nil {
		return err
	}
	filters, err := o.filters()
	if err == nil {
		o.pieces.Cells, err = o.cut(from, o.pieces.Layout, o.pieces.Rows, filters)
	}
	if err != nil {
		return err
	}
	return o.openLanes()
}

// openLanes has the devices begin.
func (o *opening) openLanes() error {
	if len(o.group.Devices) > 1 {
		o.pieces.Ring = &ring.Ring{Rec: o.Rec}
	}
	for i, d := range o.group.Devices {
		o.group.Talk(o.ctx, o.fail, d, o.vertices, o.Rec, o.events)
		lane, err := streaming.NewLane(o.cache.Arena, o.grids[i], d.Stream, &d.Spent)
		if err != nil {
			return err
		}
		o.pieces.Lanes = append(o.pieces.Lanes, lane)
		if err := o.join(o.pieces.Ring, i); err != nil {
			return err
		}
		if _, err := d.Stream.Do(plugins.Command{Op: plugins.Init}, nil); err != nil {
			return err
		}
	}
	return nil
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

// Pieces is nil where everything stayed on the device.
func (s *Session) Pieces() *Pieces {
	r := s.pieces
	if r == nil {
		return nil
	}
	p := &Pieces{Filtered: r.Cells.Filtered, Cells: r.Cells.Count(), Files: r.Rows.Size() + r.Cells.Size()}
	for _, columns := range r.Layout.Columns {
		p.Intervals = max(p.Intervals, len(columns))
	}
	_, p.Epoch = r.Bytes(learnPass)
	if s.batches != nil {
		_, p.Epoch = r.Bytes(tellPass) // what learns is no piece
	}
	p.Expected = r.Expected()
	return p
}

// degreesIn are the names of the inputs of degrees among values.
func degreesIn(values []*dataflow.Value) (names []string) {
	for _, v := range values {
		if v.Op == dataflow.Input && neural.IsDegree(v.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}

// degrees are the lengths of lists; 0, where nobody looks at them.
func (o *opening) listLengths(looks bool) (d streaming.Degrees, err error) {
	out := make([]int64, o.vertices)
	if !looks {
		return streaming.NewDegrees(out, out), nil
	}
	if err := o.fillDegrees(o.Snap, chunk.Out, out); err != nil {
		return d, err
	}
	in := out
	if o.Snap.Manifest().Directed {
		in = make([]int64, o.vertices)
		if err := o.fillDegrees(o.Snap, chunk.In, in); err != nil {
			return d, err
		}
	}
	return streaming.NewDegrees(in, out), nil
}

// fit finds the fewest intervals that the devices have room for.
func (o *opening) fit(from source) (err error) {
	all := streaming.Intervals(from.degrees, len(o.group.Devices))
	for _, each := range all {
		if err = o.fitIntervals(from, each); !tooLarge(err) {
			return err
		}
	}
	if b := o.Network.Sampling; b != nil && len(all) > 0 {
		return smaller(b, err, func() error { return o.fitIntervals(from, all[len(all)-1]) })
	}
	return err
}

// fitIntervals has the devices compile the network with intervals of so many sections.
func (o *opening) fitIntervals(from source, each uint32) error {
	layout := streaming.NewLayout(from.network, from.passes, from.degrees, each, o.pieces.Rows.Entries)
	o.pieces.Layout = layout
	o.at, o.grids = o.placeShared(from), nil
	p := plan.Placer{Used: o.at.size}
	from.network.Batch = o.Network.placeBatch(&p, from.network.Values)
	for range o.group.Devices {
		o.grids = append(o.grids, layout.Place(&p, len(o.group.Devices) > 1, streaming.SumsBytes(from.passes)))
	}
	o.at.size = p.Used
	err := o.takeMemory(o.Snap)
	if err == nil {
		err = o.compileGrids()
	}
	if tooLarge(err) {
		o.giveUpMemory()
	}
	return err
}

// smaller finds a batch that fits, and says so in its error.
func smaller(b *Sampling, err error, fits func() error) error {
	wrong := &BatchError{Batch: b.Batch, Fanouts: b.Fanouts, Err: err}
	wrong.Vertices, wrong.Edges = b.most.Of(b.Batch, b.Fanouts)
	for b.Batch /= 2; b.Batch > 0 && wrong.Fits == 0; b.Batch /= 2 {
		if err = fits(); err == nil {
			wrong.Fits = b.Batch
		}
	}
	if wrong.Fits == 0 && err != nil {
		wrong.Err = err // what the smallest needs
	}
	return wrong
}

// placeShared places what all devices read: parameters, and the parameters among roots.
func (o *opening) placeShared(from source) places {
	var p plan.Placer
	o.Network.placeParameters(&p, from.network, func(root *dataflow.Value) uint64 {
		if root.Place == dataflow.Vertices {
			return 0 // it goes where stages store it
		}
		return numbers(root, 0)
	})
	return places{network: from.network, size: p.Used}
}

// filters decides for which intervals rows of those far ends alone are brought that have an edge.
func (o *opening) filters() (func(some []uint32, all int) bool, error) {
	rates, err := o.pieces.Rows.Measure()
	return func(some []uint32, all int) bool { return !o.Whole && rates.Filters(some, all) }, err
}

// cut cuts the lists that gathers or degrees need into cells, and fills in degrees.
func (o *opening) cut(from source, layout streaming.Layout, rows *streaming.Rows,
	filters func(some []uint32, all int) bool) (cells *streaming.Cells, err error) {
	var sources [2]*streaming.Source
	source := func(d chunk.Direction) *streaming.Source {
		from := supply.New(o.Snap, o.cache, o.chunks[d], o.computation.EdgeNames, o.Rec)
		return &streaming.Source{Supply: from, Chunks: o.chunks[d], Without: o.heldOut}
	}
	names := degreesIn(from.network.Values)
	target := streaming.GathersAt(from.passes, dataflow.AtTarget) || slices.Contains(names, neural.InputInDegree)
	origin := streaming.GathersAt(from.passes, dataflow.AtSource) || slices.Contains(names, neural.InputOutDegree)
	switch directed := o.Snap.Manifest().Directed; {
	case !directed && (target || origin):
		sources[dataflow.AtSource] = source(chunk.Out)
		sources[dataflow.AtTarget] = sources[dataflow.AtSource]
	case directed && target && origin:
		sources = [2]*streaming.Source{dataflow.AtTarget: source(chunk.In), dataflow.AtSource: source(chunk.Out)}
	case directed && target:
		sources[dataflow.AtTarget] = source(chunk.In)
	case directed && origin:
		sources[dataflow.AtSource] = source(chunk.Out)
	}
	defer func() {
		for _, each := range sources {
			if each != nil {
				each.Supply.Release()
			}
		}
	}()
	var lengths [2][]float32
	cells, lengths, err = streaming.Cut(o.ctx, from.network, layout, from.passes, from.degrees, sources, filters)
	for _, name := range names {
		end := dataflow.AtTarget
		if name == neural.InputOutDegree {
			end = dataflow.AtSource
		}
		if err == nil {
			err = rows.Input(name, func(put func(v uint64, numbers []float32, places []uint32) error) error {
				return put(0, lengths[end], nil)
			})
		}
	}
	return cells, err
}

// passPieces has the device compute a pass piece by piece, and reads what it says of vertices.
func (s *Session) passPieces(number int, dropout dataflow.Dropout) error {
	if err := s.pieces.Pass(s.ctx, number, dropout); err != nil {
		return err
	}
	for _, root := range s.roots[number].Roots {
		if root.Place != dataflow.Vertices {
			continue
		}
		s.rows = grown(s.rows, int(numbers(root, s.vertices)))
		if err := s.pieces.Rows.All(number, root, s.rows); err != nil {
			return err
		}
	}
	return nil
}

// grown is memory for so many numbers.
func grown(numbers []float32, n int) []float32 { return slices.Grow(numbers[:0], n)[:n] }
