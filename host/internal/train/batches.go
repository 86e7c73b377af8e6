package train

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"

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
}

// BatchError is a batch that the device has no room for.
type BatchError struct {
	Batch           int
	Fanouts         sample.Fanouts
	Vertices, Edges uint64 // that it may have
	Fits            int    // a batch that there is room for; 0: none
	Err             error
}

func (e *BatchError) Error() string {
	what := fmt.Sprintf("a batch of %d with fanout %v may have %d vertices and %d edges", e.Batch, e.Fanouts, e.Vertices,
		e.Edges)
	if e.Fits == 0 {
		return fmt.Sprintf("%s, and not even one of 1 fits the device: %v", what, e.Err)
	}
	return fmt.Sprintf("%s: a batch of %d would fit, or smaller fanouts: %v", what, e.Fits, e.Err)
}

func (e *BatchError) Unwrap() error { return e.Err }

// smaller finds a batch that fits, and says so in its error.
func smaller(b *Sampling, err error, fits func() error) error {
	wrong := &BatchError{Batch: b.Batch, Fanouts: b.Fanouts, Err: err}
	wrong.Vertices, wrong.Edges = b.largest()
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

// largest is how many vertices and edges a batch may have.
func (b *Sampling) largest() (vertices, edges uint64) { return b.most.Of(b.Batch*b.Each, b.Fanouts) }

// measure finds how large batches may be.
func (b *Sampling) measure(degrees streaming.Degrees, selfLoops bool) {
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

// placeBatch places what the largest batch takes; nil: there are none.
func (n *Network) placeBatch(p *plan.Placer, values []*dataflow.Value) *plugins.Batch {
	if n.Sampling == nil {
		return nil
	}
	at := &plugins.Batch{}
	at.Vertices, at.Edges = n.Sampling.largest()
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

// openBatches makes ready what batches are sampled from: lists, and rows where they are. Without batches it is nil.
func openBatches(o *opening, way Passer) (*sampling.Batches, error) {
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
	b := &sampling.Batches{Columns: by.Columns, Rows: from, Sampler: sample.Sampler{Lists: noLists{},
		Fanouts: by.Fanouts, Properties: len(names), Seed: by.Seed, Threads: threads(o.Request)}}
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
	return b, b.Open(o.room.Arena, o.at.network, release)
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

// Sampled is what an epoch of batches came to.
type Sampled struct {
	Batches  int    `json:"batches"`
	Vertices uint64 `json:"vertices"` // of all batches
	Edges    uint64 `json:"edges"`    // of all batches
	Bytes    uint64 `json:"bytes"`    // brought to the device
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

// learnBatches learns for an epoch, batch by batch, of which seeds are told: learn learns from each. While the device
// computes one, the next is sampled.
func learnBatches(ctx context.Context, s *Session, c *neural.Compiled, all [][]float32, epoch int,
	seeds iter.Seq[[]uint32], learn func(*batch) error) (sum Sampled, err error) {
	if c.Embedding != nil {
		s.batches.Columns[neural.InputEmbedding] = all[len(c.Learned)]
	}
	ctx, stop := context.WithCancel(ctx)
	staged := s.batches.Ahead(ctx, epoch, seeds)
	defer func() {
		stop()
		for range staged { // nobody reads lists any more
		}
	}()
	for next := range staged {
		if next.Err != nil {
			return sum, next.Err
		}
		b := &batch{s, next.Batch, sample.Dropout(s.batches.Sampler.Seed, epoch, sum.Batches), sum.Batches, 0}
		b.sent(s.batches.Bring(next.Batch))
		if err := learn(b); err != nil {
			return sum, err
		}
		sum.Batches++
		sum.Vertices, sum.Edges = sum.Vertices+b.vertices(), sum.Edges+uint64(b.Graph.Edges())
		sum.Bytes += b.bytes
		next.Done()
	}
	if err := context.Cause(ctx); err != nil {
		return sum, err
	}
	return sum, bring(s, c, all)
}

// batch is one that has been brought to the device.
type batch struct {
	session *Session
	*sampling.Batch
	dropout dataflow.Dropout
	number  int
	bytes   uint64
}

func (b *batch) vertices() uint64 { return uint64(len(b.Graph.Vertices)) }

// sent counts bytes.
func (b *batch) sent(bytes uint64) {
	b.session.Rec.Meter.Sent(bytes, 0)
	b.bytes += bytes
}

// write gives an input that varies rows of the first vertices.
func (b *batch) write(name string, rows []float32) {
	b.sent(b.session.batches.Write(name, b.Batch, rows))
}

// pass has the device compute a pass over the batch.
func (b *batch) pass(number int) error {
	size := plugins.BatchSize{Vertices: b.vertices(), Edges: uint64(b.Graph.Edges())}
	_, err := b.session.only().Stream.Do(plugins.Command{Op: plugins.Pass, Pass: uint32(number), Seed: b.dropout.Seed,
		Epoch: uint32(b.dropout.Epoch), Batch: size}, nil)
	return err
}

// left is what a pass has left of a root: of vertices, a row of each of the batch.
func (b *batch) left(number int, root *dataflow.Value) []float32 {
	return b.session.result(number, root, b.vertices(), everything)
}

// slope is what the pass that learns has left of a gradient: of rows of vertices, those of all, of which the batch has
// some.
func (b *batch) slope(root *dataflow.Value) []float32 {
	left := b.left(learnPass, root)
	if root.Place != dataflow.Vertices {
		return left
	}
	rows, width := make([]float32, b.session.vertices*uint64(root.Width)), root.Width
	for i, v := range b.Graph.Vertices {
		copy(rows[int(v)*width:], left[i*width:(i+1)*width])
	}
	return rows
}
