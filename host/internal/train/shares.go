package train

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/host/internal/device"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/host/internal/train/ring"
	"github.com/penstock-db/penstock/host/internal/train/sampling"
	"github.com/penstock-db/penstock/host/internal/train/sharing"
	"github.com/penstock-db/penstock/host/internal/train/streaming"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/plugins"
)

// shares is a network that several devices compute together, each an interval of the vertices, which it holds.
type shares struct {
	*base
	*sharing.Runner
	rows     []float32       // of the only root of the last pass that is of vertices
	features *streaming.Rows // that batches take rows of; nil: there are none
}

// openSeveral has several devices compute the network together: each holds an interval, as package sharing says, or, if
// one of them has no room for that, or keeps nothing, they take intervals by turns, piece by piece.
func openSeveral(o *opening) (Passer, error) {
	for _, d := range o.group.Devices { // before anything is read
		if err := o.group.CanCompute(d, plugins.Task{Network: &plugins.Network{}}); err != nil {
			return nil, err
		}
		if o.Network.Sampling != nil && extension.Lacks(d.About, plugins.ExtensionPortions) {
			return nil, o.noPortions(d)
		}
	}
	s, err := openShares(o)
	if tooLarge(err) || plugins.KindOf(err) == plugins.KindUnsupported {
		o.room.giveUp()
		return openPieces(o, err)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// noPortions refuses batches on several devices, one of which computes no portions.
func (o *opening) noPortions(d *device.Device) error {
	return &plan.DevicesError{Devices: o.Request.Device, Algorithm: "batches", Reason: d.Name + " computes no portions of them"}
}

// openShares divides vertices and edges among the devices, and gives each its share.
func openShares(o *opening) (s *shares, err error) {
	from, err := o.source()
	if err != nil {
		return nil, err
	}
	oneEnd := !o.Snap.Manifest().Directed || !neural.LooksAtEdges(from.network.Values)
	layout := sharing.NewLayout(from.degrees, len(o.group.Devices), oneEnd)
	rows, err := streaming.NewRows(from.tensors, nil, o.vertices)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil || o.Network.Sampling == nil {
			rows.Close()
		}
	}()
	if err := o.fillRows(from, rows); err != nil {
		return nil, err
	}
	// To look at chunks: what devices need is not known yet.
	if o.room.Cache, err = supply.NewCache(o.Snap, plan.Arena{}, 1); err != nil {
		return nil, err
	}
	all := streaming.Layout{Columns: layout.Columns, Sources: math.MaxInt, Edges: math.MaxInt}
	cells, err := o.cut(from, all, rows, func([]uint32, int) bool { return true })
	o.room.giveUp()
	if err != nil {
		cells.Close() // of a file that was not cut to the end
		return nil, err
	}
	defer cells.Close()
	s = &shares{base: o.base, Runner: &sharing.Runner{Layout: layout, Passes: from.passes,
		Ring: &ring.Ring{Rec: o.Rec}, Rec: o.Rec}}
	if o.Network.Sampling != nil {
		s.features = rows
	}
	o.at = o.placeShared(from)
	p := plan.Placer{Used: o.at.size}
	var grids []*plugins.Grid
	for i := range o.group.Devices {
		d := layout.Place(i, from.passes, cells, rows, &p)
		s.Devices, grids = append(s.Devices, d), append(grids, d.Grid)
	}
	o.at.size = p.Used
	if err := o.room.take(o.ctx, o.Snap, o.at.size); err != nil {
		return nil, err
	}
	if err := o.compileGrids(grids); err != nil {
		return nil, err
	}
	return s, s.begin(o, cells, rows)
}

// begin gives each device its share, and has it begin.
func (s *shares) begin(o *opening, cells *streaming.Cells, rows *streaming.Rows) error {
	for i, share := range s.Devices {
		d := o.group.Devices[i]
		share.Spent = &d.Spent
		if err := share.Fill(o.room.Arena, cells, rows); err != nil {
			return err
		}
		o.Rec.Meter.Sent(d.Spent.Total().Uploaded, 0)
		o.talk(d)
		share.Stream = d.Stream
		if err := o.join(s.Ring, i, share.Grid); err != nil {
			return err
		}
		if _, err := d.Stream.Do(plugins.Command{Op: plugins.Init}, nil); err != nil {
			return err
		}
	}
	return nil
}

// Pass has the devices compute a pass together, and reads what it says of vertices.
func (s *shares) Pass(ctx context.Context, number int, dropout dataflow.Dropout) error {
	if err := s.Runner.Pass(ctx, number, dropout); err != nil {
		return err
	}
	for _, root := range s.at.network.Passes[number].Roots {
		if ofVertices(root) {
			s.rows = grown(s.rows, int(numbers(root, s.vertices)))
			s.All(root, s.rows)
		}
	}
	return nil
}

// Result is what the last pass has left of a root.
func (s *shares) Result(number int, root *dataflow.Value) []float32 {
	if ofVertices(root) {
		return s.rows
	}
	return s.resultOfSums(number, root)
}

// Write gives an input other rows.
func (s *shares) Write(name string, rows []float32) error {
	s.Input(name, rows)
	return nil
}

// Share is what one of several devices has.
type Share struct {
	Device    string `json:"device"`
	Intervals int    `json:"intervals"` // of vertices
	Vertices  uint64 `json:"vertices"`
	Edges     uint64 `json:"edges"`    // in lists of targets; a model's loops are among them
	Transfer  uint64 `json:"transfer"` // bytes that it was given and that were taken back
	Pulled    uint64 `json:"pulled"`   // bytes of rows that other devices have stored
	Reduced   uint64 `json:"reduced"`  // bytes of sums that it has passed on
	Peak      uint64 `json:"peak_device_bytes"`
}

// shareOf is what a device says that it has.
func shareOf(d *device.Device) Share {
	spent := d.Spent.Total()
	return Share{Device: d.Name, Transfer: spent.Uploaded, Peak: spent.Peak}
}

// Way is what each device has, and what traveled from one to another.
func (s *shares) Way() (w Way) {
	w.Expected = s.Exchanged()
	for i, d := range s.group.Devices {
		share, held := shareOf(d), s.Devices[i]
		if share.Vertices = held.Vertices(); share.Vertices > 0 {
			share.Intervals = 1
		}
		share.Edges, share.Pulled, share.Reduced = held.Edges(), held.Pulled, s.Ring.Members[i].Sent
		w.Devices = append(w.Devices, share)
	}
	return w
}

// inputs are the rows of all vertices, of which devices have some.
func (s *shares) inputs() (sampling.Rows, error) { return s.features, nil }

// Close gives up what batches take rows of: all else lies in the arena.
func (s *shares) Close() { s.features.Close() }
