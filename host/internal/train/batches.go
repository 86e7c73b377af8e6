package train

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/algorithms/neural/sample"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/host/internal/train/sampling"
	"github.com/penstock-db/penstock/host/internal/train/streaming"
	"github.com/penstock-db/penstock/plugins"
)

// Fanouts are how many neighbors of a vertex are kept, hop by hop.
type Fanouts = sample.Fanouts

// All is a fanout that keeps all neighbors.
const All = sample.All

// ParseFanouts reads "10,5", or "10,all".
func ParseFanouts(text string) (Fanouts, error) { return sample.ParseFanouts(text) }

// AllNeighbors are fanouts that keep all neighbors, of so many hops.
func AllNeighbors(hops int) Fanouts {
	all := make(Fanouts, hops)
	for i := range all {
		all[i] = sample.All
	}
	return all
}

// Sampling has a network learn batch by batch, each from the sampled neighborhoods of some vertices.
type Sampling struct {
	Batch   int // vertices that are learned from at a time, or pairs
	Each    int // vertices that one of them may have
	Fanouts sample.Fanouts
	Seed    uint64
	Columns map[string][]float32 // of all vertices, what is wanted
	most    sample.Most
	devices int // among which a batch is divided
}

// BatchError is a batch that a device has no room for, or of several the one whose portion it is.
type BatchError struct {
	Batch           int
	Fanouts         sample.Fanouts
	Devices         int    // among which it is divided
	Vertices, Edges uint64 // that a device may have of it
	Fits            int    // a batch that there is room for; 0: none
	Err             error
}

func (e *BatchError) Error() string {
	what := fmt.Sprintf("a batch of %d with fanout %v may have %d vertices and %d edges", e.Batch, e.Fanouts, e.Vertices,
		e.Edges)
	if e.Devices > 1 {
		what += fmt.Sprintf(" on each of %d devices", e.Devices)
	}
	if e.Fits == 0 {
		return fmt.Sprintf("%s, and not even one of 1 fits the device: %v", what, e.Err)
	}
	return fmt.Sprintf("%s: a batch of %d would fit, or smaller fanouts: %v", what, e.Fits, e.Err)
}

func (e *BatchError) Unwrap() error { return e.Err }

// smaller finds a batch that fits, and says so in its error.
func smaller(b *Sampling, err error, fits func() error) error {
	wrong := &BatchError{Batch: b.Batch, Fanouts: b.Fanouts, Devices: b.devices, Err: err}
	wrong.Vertices, wrong.Edges = b.Largest()
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

// Largest is how many vertices and edges a device may have of a batch. It is known when a session is open.
func (b *Sampling) Largest() (vertices, edges uint64) {
	seeds := b.Batch * b.Each
	return b.most.MostOfPortion((seeds+b.devices-1)/b.devices, seeds, b.Fanouts)
}

// measure finds how large batches may be, and what so many devices get of them.
func (b *Sampling) measure(degrees streaming.Degrees, selfLoops bool, devices int) {
	b.devices = devices
	in := degrees.Of[dataflow.AtTarget]
	if selfLoops {
		all := make([]int64, len(in))
		for v, d := range in {
			all[v] = d + 1
		}
		in = all
	}
	b.most = sample.NewMost(in, selfLoops)
}

// placeBatches are the network as each of so many devices computes it: what it gets of batches, and what it leaves of
// them, lies in a place of its own.
func (n *Network) placeBatches(p *plan.Placer, network *plugins.Network, devices int) (all []*plugins.Network) {
	for range devices {
		own := *network
		own.Batch, own.Passes = n.placeBatch(p, network.Values), slices.Clone(network.Passes)
		for i, pass := range own.Passes {
			if !pass.Batched {
				continue
			}
			size := uint64(0)
			for _, root := range pass.Roots {
				size += numbers(root, own.Batch.Vertices)
			}
			own.Passes[i].At = p.Place(4 * size)
		}
		all = append(all, &own)
	}
	return all
}

// placeBatch places what a device gets at most of a batch; nil: there are none.
func (n *Network) placeBatch(p *plan.Placer, values []*dataflow.Value) *plugins.Batch {
	if n.Sampling == nil {
		return nil
	}
	at := &plugins.Batch{}
	if at.Vertices, at.Edges = n.Sampling.Largest(); n.Sampling.devices > 1 {
		at.Rows = p.Place(4 * max(at.Vertices, 1))
	}
	for end := range at.Lists {
		at.Lists[end] = plugins.BatchLists{Offsets: p.Place(8 * (at.Vertices + 1)), Others: p.Place(4 * at.Edges)}
		for range dataflow.EdgeProperties(values) {
			at.Lists[end].Properties = append(at.Lists[end].Properties, p.Place(8*at.Edges))
		}
	}
	var roots []*dataflow.Value
	for _, pass := range n.Passes {
		if pass.Batched {
			roots = append(roots, pass.Roots...)
		}
	}
	for _, v := range dataflow.Order(values, roots...) {
		if v.Op != dataflow.Input {
			continue
		}
		t := plugins.Tensor{Name: v.Name}
		if v.Name == neural.InputFeatures && n.Shape.Sparse {
			entries := min(uint64(n.Shape.Entries), at.Vertices*uint64(n.Shape.Longest))
			t.Numbers, t.Columns = p.Place(4*entries), p.Place(4*entries)
			t.Offsets = p.Place(8 * (at.Vertices + 1))
		} else {
			t.Numbers = p.Place(4 * at.Vertices * uint64(v.Width))
		}
		at.Inputs = append(at.Inputs, t)
	}
	return at
}

// noLists are those of a network that looks at no edges.
type noLists struct{}

func (noLists) Degree(uint32) int                                    { return 0 }
func (noLists) Read(uint32, []int, []uint32, [][]float64, int) error { return nil }

// residentRows are rows that lie in the arena.
type residentRows map[string]grid.Rows

func (r residentRows) Row(name string, v uint32) int64 {
	return r[name].Offsets[v+1] - r[name].Offsets[v]
}

func (r residentRows) Gather(name string, width int, vertices []uint32, to grid.Rows) error {
	rows := r[name]
	for i, v := range vertices {
		if rows.Offsets == nil {
			copy(to.Numbers[i*width:(i+1)*width], rows.Numbers[int(v)*width:])
			continue
		}
		from, end := rows.Offsets[v], rows.Offsets[v+1]
		copy(to.Numbers[to.Offsets[i]:], rows.Numbers[from:end])
		copy(to.Columns[to.Offsets[i]:], rows.Columns[from:end])
	}
	return nil
}

// batches are those of a session.
type batches struct {
	*sampling.Batches
	results [][][]float32 // what passes over batches leave: of each device, of each pass
}

// openBatches makes ready what batches are sampled from: lists, and rows where they are. Without batches it is nil.
func openBatches(o *opening, way Passer) (*batches, error) {
	network, by := o.Network, o.Network.Sampling
	if by == nil {
		return nil, nil
	}
	from, err := way.(sampled).inputs()
	if err != nil {
		return nil, err
	}
	values := network.values()
	names := dataflow.EdgeProperties(values)
	b := &batches{Batches: &sampling.Batches{Columns: by.Columns, Rows: from, Sampler: sample.Sampler{Lists: noLists{},
		Fanouts: by.Fanouts, Properties: len(names), Seed: by.Seed, Threads: threads(o.Request)}}}
	b.Sampler.NewRows(o.vertices)
	release := func() {}
	if neural.LooksAtEdges(values) {
		b.Sampler.Loops = network.Compiled.Model.SelfLoops
		lists, sends, err := o.writeLists(names, b.Sampler.Loops)
		if err != nil {
			lists.Close()
			return nil, err
		}
		b.Sampler.Lists, b.Sends, b.Files, release = lists, sends, lists.Size(), lists.Close
	}
	if err := b.Open(o.room.Arena, o.at.devices, release); err != nil {
		return b, err
	}
	for _, own := range o.at.devices {
		results, err := resultsIn(o.room.Arena, own)
		if err != nil {
			return b, err
		}
		b.results = append(b.results, results)
	}
	return b, nil
}

// sampled is a way of computing that has the rows of inputs in one place, from which batches take some.
type sampled interface{ inputs() (sampling.Rows, error) }

func (r *resident) inputs() (sampling.Rows, error) {
	rows := residentRows{}
	for _, t := range r.at.network.Inputs {
		var err error
		if rows[t.Name], err = inputRows(r.room.Arena, t); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func (p *pieces) inputs() (sampling.Rows, error) { return p.Rows, nil }

// writeLists writes what neighbors are drawn from.
func (o *opening) writeLists(names []string, loops bool) (*sampling.Lists, []uint32, error) {
	degrees, err := o.listLengths(true)
	if err != nil {
		return nil, nil, err
	}
	d := chunk.Out
	if o.Snap.Manifest().Directed {
		d = chunk.In
	}
	source := &streaming.Source{Supply: supply.New(o.Snap, o.room.Cache, o.chunks[d], o.computation.EdgeNames, o.Rec),
		Chunks: o.chunks[d], Without: o.Network.HeldOut}
	defer source.Supply.Release()
	return sampling.WriteLists(o.ctx, source, degrees.Of[dataflow.AtTarget], names, loops)
}

// threads is how many goroutines sample.
func threads(req plan.Request) int {
	if req.Threads > 0 {
		return req.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// order is the order in which an epoch learns from vertices: a function of seed and epoch.
func (c Course) order(epoch int) (order []uint32) {
	for v, p := range c.Parts {
		if p == dataset.Train {
			order = append(order, uint32(v))
		}
	}
	r := rand.New(rand.NewPCG(c.Seed^batchStream, uint64(epoch)))
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// batchStream tells these random numbers from others of the same seed.
const batchStream = 0x6261746368
