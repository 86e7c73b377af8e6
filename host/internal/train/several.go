package train

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/host/internal/train/ring"
	"github.com/penstock-db/penstock/host/internal/train/sharing"
	"github.com/penstock-db/penstock/host/internal/train/streaming"
	"github.com/penstock-db/penstock/plugins"
)

// openSeveral has several devices compute the network together: each holds an interval, as package sharing says, or, if
// one of them has no room for that, they take intervals by turns, piece by piece.
func (o *opening) openSeveral() error {
	for _, d := range o.group.Devices { // before anything is read
		if err := o.group.CanCompute(d, plugins.Task{Network: &plugins.Network{}}); err != nil {
			return err
		}
	}
	err := o.openSharing()
	if !tooLarge(err) {
		return err
	}
	o.giveUpMemory()
	return o.openPieces(err)
}

// openSharing divides vertices and edges among the devices, and gives each its share.
func (o *opening) openSharing() error {
	from, err := o.source()
	if err != nil {
		return err
	}
	oneEnd := !o.Snap.Manifest().Directed || !neural.LooksAtEdges(from.network.Values)
	layout := sharing.NewLayout(from.degrees, len(o.group.Devices), oneEnd)
	rows, err := streaming.NewRows(from.tensors, nil, o.vertices)
	if err != nil {
		return err
	}
	defer rows.Close()
	if err := o.fillRows(from, rows); err != nil {
		return err
	}
	// To look at chunks: what devices need is not known yet.
	if o.cache, err = supply.NewCache(o.Snap, plan.Arena{}, 1); err != nil {
		return err
	}
	all := streaming.Layout{Columns: layout.Columns, Sources: math.MaxInt, Edges: math.MaxInt}
	cells, err := o.cut(from, all, rows, func([]uint32, int) bool { return true })
	o.giveUpMemory()
	if err != nil {
		cells.Close() // of a file that was not cut to the end
		return err
	}
	defer cells.Close()
	r := &sharing.Runner{Layout: layout, Passes: from.passes, Ring: &ring.Ring{Rec: o.Rec}, Rec: o.Rec}
	o.at, o.grids = o.placeShared(from), nil
	p := plan.Placer{Used: o.at.size}
	for i := range o.group.Devices {
		d := layout.Place(i, from.passes, cells, rows, &p)
		r.Devices, o.grids = append(r.Devices, d), append(o.grids, d.Grid)
	}
	o.at.size = p.Used
	if err := o.takeMemory(o.Snap); err != nil {
		return err
	}
	if err := o.compileGrids(); err != nil {
		return err
	}
	return o.openShares(r, cells, rows)
}

// openShares gives each device its share, and has it begin.
func (o *opening) openShares(r *sharing.Runner, cells *streaming.Cells, rows *streaming.Rows) error {
	for i, share := range r.Devices {
		d := o.group.Devices[i]
		share.Spent = &d.Spent
		if err := share.Fill(o.cache.Arena, cells, rows); err != nil {
			return err
		}
		o.Rec.Meter.Sent(d.Spent.Total().Uploaded, 0)
		o.group.Talk(o.ctx, o.fail, d, o.vertices, o.Rec, o.events)
		share.Stream = d.Stream
		if err := o.join(r.Ring, i); err != nil {
			return err
		}
		if _, err := d.Stream.Do(plugins.Command{Op: plugins.Init}, nil); err != nil {
			return err
		}
	}
	o.sharing = r
	return nil
}

// compileGrids has each device make the network with its grid ready.
func (o *opening) compileGrids() error {
	if err := o.bind(); err != nil {
		return err
	}
	for i, d := range o.group.Devices {
		network := *o.at.network
		network.Grid = o.grids[i]
		if err := o.group.CompileOn(d, o.job(d), plugins.Task{Network: &network}); err != nil {
			return err
		}
		if i == 0 {
			o.Plan = d.Plan
		}
		if o.Plan.Fixed = max(o.Plan.Fixed, d.Plan.Fixed); d.Several && !d.Plan.Grid {
			return &plugins.Error{Device: d.Name, Kind: plugins.KindUnsupported, Chunk: -1,
				Err: fmt.Errorf("the device computes no neural network by intervals")}
		}
	}
	return nil
}

// join has a device take part in the ring, if there is one.
func (o *opening) join(r *ring.Ring, i int) (err error) {
	if r == nil {
		return nil
	}
	m := &ring.Member{Stream: o.group.Devices[i].Stream}
	m.Sums, err = o.cache.Arena.Bytes(o.grids[i].Sums)
	r.Members = append(r.Members, m)
	return err
}

// passSharing has the devices compute a pass together, and reads what it says of vertices.
func (s *Session) passSharing(number int, dropout dataflow.Dropout) error {
	if err := s.sharing.Pass(s.ctx, number, dropout); err != nil {
		return err
	}
	for _, root := range s.roots[number].Roots {
		if root.Place == dataflow.Vertices {
			s.rows = grown(s.rows, int(numbers(root, s.vertices)))
			s.sharing.All(root, s.rows)
		}
	}
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

// Shares are what several devices of a chain have; nil: there is none.
func (s *Session) Shares() (all []Share) {
	if len(s.group.Devices) == 1 || s.halves != nil {
		return nil
	}
	for i, d := range s.group.Devices {
		spent := d.Spent.Total()
		share := Share{Device: d.Name, Transfer: spent.Uploaded, Peak: spent.Peak}
		if r := s.sharing; r != nil {
			if share.Vertices = r.Devices[i].Vertices(); share.Vertices > 0 {
				share.Intervals = 1
			}
			share.Edges, share.Pulled, share.Reduced = r.Devices[i].Edges(), r.Devices[i].Pulled, r.Ring.Members[i].Sent
		} else {
			columns := s.pieces.Layout.Columns[dataflow.AtTarget]
			for k := i; k < len(columns); k += len(s.group.Devices) {
				share.Intervals++
				share.Vertices += columns[k].Count
				share.Edges += s.pieces.Cells.Edges(dataflow.AtTarget, k)
			}
			share.Reduced = s.pieces.Ring.Members[i].Sent
		}
		all = append(all, share)
	}
	return all
}

// Exchanged is what traveled from device to device, by what lies where; Bytes.Exchanged is what was copied.
func (s *Session) Exchanged() uint64 {
	switch {
	case s.sharing != nil:
		return s.sharing.Exchanged()
	case s.pieces != nil && s.pieces.Ring != nil:
		return s.pieces.Exchanged()
	}
	return 0
}
