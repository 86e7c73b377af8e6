package train

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/host/internal/train/streaming"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// openPieces has the device compute the network by intervals, as few as fit its memory, and makes rows and cells ready.
// A device that cannot has the error that tells why not everything fits.
func (s *Session) openPieces(in Input, c plan.Computation, chunks map[chunk.Direction][]plan.Chunk,
	events report.Events, full error) error {
	network := &plugins.Network{Values: in.Network.values(), SelfLoops: in.Network.Compiled.Model.SelfLoops}
	for _, p := range in.Network.Passes {
		network.Passes = append(network.Passes, plugins.NetworkPass{Roots: p.Roots, Batched: p.Batched})
	}
	tensors := in.Network.placeInputs(&plan.Placer{}, network.Values, s.vertices)
	for _, name := range degreesIn(network.Values) {
		tensors = append(tensors, plugins.Tensor{Name: name, Numbers: arena.Range{Length: 4 * s.vertices}})
	}
	given := func(v *dataflow.Value) bool {
		return slices.ContainsFunc(tensors, func(t plugins.Tensor) bool {
			return t.Name == v.Name && t.Offsets != (arena.Range{})
		})
	}
	passes := streaming.StagesOf(network, given)
	degrees, err := s.degrees(in.Snap, neural.LooksAtEdges(network.Values))
	if err != nil {
		return err
	}
	s.pieces = &streaming.Runner{Passes: passes, Rec: s.Rec}
	if s.pieces.Rows, err = streaming.NewRows(tensors, passes, s.vertices); err != nil {
		return err
	}
	for _, t := range tensors {
		err := s.pieces.Rows.Input(t.Name, func(put func(v uint64, numbers []float32, places []uint32) error) error {
			if t.Name == neural.InputFeatures {
				return dataset.Stream(s.ctx, in.Snap, in.Network.Features, in.Network.Shape, put)
			}
			return put(0, in.Network.Columns[t.Name], nil)
		})
		if err != nil {
			return err
		}
	}
	network.Inputs = tensors
	if err := s.fit(in, network, degrees); plugins.KindOf(err) == plugins.KindUnsupported || err == nil && !s.Plan.Grid {
		return full
	} else if err != nil {
		return err
	}
	if err := s.cut(in, network, c, chunks, degrees); err != nil {
		return err
	}
	if err := s.pieces.Open(s.cache.Arena); err != nil {
		return err
	}
	s.group.Talk(s.ctx, s.fail, s.Device, s.vertices, s.Rec, events)
	s.pieces.Stream = s.Device.Stream
	_, err = s.Device.Stream.Do(plugins.Command{Op: plugins.Init}, nil)
	return err
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
	for end := range r.Layout.Grid.Sections {
		p.Intervals = max(p.Intervals, r.Layout.Grid.Intervals(dataflow.End(end)))
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
func (s *Session) degrees(snap *store.Snapshot, looks bool) (d streaming.Degrees, err error) {
	out := make([]int64, s.vertices)
	if !looks {
		return streaming.NewDegrees(out, out), nil
	}
	if err := snap.FillDegrees(s.ctx, chunk.Out, out); err != nil {
		return d, err
	}
	in := out
	if snap.Manifest().Directed {
		in = make([]int64, s.vertices)
		if err := snap.FillDegrees(s.ctx, chunk.In, in); err != nil {
			return d, err
		}
	}
	return streaming.NewDegrees(in, out), nil
}

// fit finds the fewest intervals that the device has room for.
func (s *Session) fit(in Input, network *plugins.Network, degrees streaming.Degrees) (err error) {
	all := streaming.Intervals(degrees)
	for _, each := range all {
		if err = s.fitIntervals(in, network, degrees, each); !tooLarge(err) {
			return err
		}
	}
	if b := in.Network.Sampling; b != nil && len(all) > 0 {
		return smaller(b, err, func() error { return s.fitIntervals(in, network, degrees, all[len(all)-1]) })
	}
	return err
}

// fitIntervals has the device compile the network with intervals of so many sections.
func (s *Session) fitIntervals(in Input, network *plugins.Network, degrees streaming.Degrees, each uint32) error {
	var p plan.Placer
	in.Network.placeParameters(&p, network, func(root *dataflow.Value) uint64 {
		if root.Place == dataflow.Vertices {
			return 0 // it goes where stages store it
		}
		return numbers(root, 0)
	})
	network.Batch = in.Network.placeBatch(&p, network.Values)
	layout := streaming.NewLayout(network, s.pieces.Passes, degrees, each, s.pieces.Rows.Entries, &p)
	network.Grid, s.pieces.Layout = &layout.Grid, layout
	s.at = places{network: network, size: p.Used}
	err := s.takeMemory(in.Snap)
	if err == nil {
		err = s.compile(in.Snap, in.Request)
	}
	if tooLarge(err) {
		s.giveUpMemory()
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

// cut cuts the lists that gathers or degrees need into cells, and fills in degrees.
func (s *Session) cut(in Input, network *plugins.Network, c plan.Computation, chunks map[chunk.Direction][]plan.Chunk,
	degrees streaming.Degrees) (err error) {
	var sources [2]*streaming.Source
	source := func(d chunk.Direction) *streaming.Source {
		return &streaming.Source{Supply: supply.New(in.Snap, s.cache, chunks[d], c.EdgeNames, s.Rec), Chunks: chunks[d]}
	}
	names := degreesIn(network.Values)
	target := streaming.GathersAt(s.pieces.Passes, dataflow.AtTarget) || slices.Contains(names, neural.InputInDegree)
	origin := streaming.GathersAt(s.pieces.Passes, dataflow.AtSource) || slices.Contains(names, neural.InputOutDegree)
	switch directed := in.Snap.Manifest().Directed; {
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
	rates, err := s.pieces.Rows.Measure()
	if err != nil {
		return err
	}
	filters := func(some []uint32, all int) bool { return !in.Whole && rates.Filters(some, all) }
	var lengths [2][]float32
	s.pieces.Cells, lengths, err = streaming.Cut(s.ctx, network, s.pieces.Layout, s.pieces.Passes, degrees, sources,
		filters)
	for _, name := range names {
		end := dataflow.AtTarget
		if name == neural.InputOutDegree {
			end = dataflow.AtSource
		}
		if err == nil {
			err = s.pieces.Rows.Input(name, func(put func(v uint64, numbers []float32, places []uint32) error) error {
				return put(0, lengths[end], nil)
			})
		}
	}
	return err
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
		s.rows = slices.Grow(s.rows[:0], int(numbers(root, s.vertices)))[:numbers(root, s.vertices)]
		if err := s.pieces.Rows.All(number, root, s.rows); err != nil {
			return err
		}
	}
	return nil
}
