// Package decode computes what a model says of pairs of vertices from the rows that a device has computed of them, and
// the gradients of its loss, on the host.
//
//	rows of vertices ─┐
//	pairs, batch by batch ──block by block, in parallel──▶ what is said, or slopes of both ends
//	                                                      └── added up by vertex, in the order of pairs
//
// # Why on the host
//
// A device keeps no row of an edge: what is computed at an edge exists while a gather adds it up. What is said of a
// pair is a row of an edge that somebody wants. Pairs are other edges than those that pass messages, and negative
// ones are others in each epoch, so that a device would take a second list anew each time. A pair's loss is a
// function of two rows, little beside the layers; so the cut is there: rows of vertices come out of a forward pass,
// and their gradient goes in as an input of the backward pass. It is the same cut whether the device holds all rows
// or comes by them piece by piece, and every device that computes networks of vertices computes those of pairs.
//
// All is computed in double precision. Sums go in the order of pairs, whatever the number of goroutines.
package decode

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/rowwise"
	"github.com/penstock-db/penstock/host/internal/dataset"
)

// A batch is blocks that are computed in parallel before what they say is added up: at most batchBlocks·blockRows
// pairs, with 16 bytes for each number of the vectors of both ends.
const (
	blockRows   = 128
	batchBlocks = 32
)

// Decoder computes a model's decoder. One goroutine uses it.
type Decoder struct {
	of     *neural.Decoder
	blocks []*rowwise.Block // of each worker
	losses [batchBlocks]float64
	slopes [batchBlocks][][]float64      // by block: of parameters
	ends   [2][batchBlocks * 2][]float64 // by end, of vectors (even) and biases (odd) of each block
}

// New makes ready to compute with so many threads; 0: as many as there are processors.
func New(of *neural.Decoder, threads int) (*Decoder, error) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	d := &Decoder{of: of}
	for range min(threads, batchBlocks) {
		b, err := rowwise.New(of.Values, blockRows)
		if err != nil {
			return nil, err
		}
		d.blocks = append(d.blocks, b)
	}
	for k := range batchBlocks {
		for _, v := range of.Slopes {
			size := 0
			if v != nil {
				size = v.Rows * v.Width
			}
			d.slopes[k] = append(d.slopes[k], make([]float64, size))
		}
		for end := range of.Ends {
			if of.Ends[end].VectorSlope != nil {
				d.ends[end][2*k] = make([]float64, blockRows*of.Ends[end].Vector.Width)
			}
			if of.Ends[end].BiasSlope != nil {
				d.ends[end][2*k+1] = make([]float64, blockRows)
			}
		}
	}
	return d, nil
}

// Rows are what a decoder reads.
type Rows struct {
	Vectors    []float32   // of each vertex
	Biases     []float32   // of each vertex one for each end, or where there is no direction one; nil: none
	Parameters [][]float32 // as Decoder.Learned
	Directed   bool
}

// bias is the place of a vertex's bias at an end.
func (r *Rows) bias(v uint32, end int) int {
	if r.Directed {
		return 2*int(v) + end
	}
	return int(v)
}

// Slopes are sums of gradients over pairs, of the shape of Rows.
type Slopes struct {
	Vectors    []float32
	Biases     []float32
	Parameters [][]float32
}

// BiasColumns is how many biases a vertex has.
func BiasColumns(directed bool) int {
	if directed {
		return 2
	}
	return 1
}

// Say computes what is said of pairs.
func (d *Decoder) Say(r *Rows, pairs []dataset.Pair, to []float32) {
	d.load(r)
	count := (len(pairs) + blockRows - 1) / blockRows
	d.each(count, func(worker, k int) {
		from, end := k*blockRows, min((k+1)*blockRows, len(pairs))
		b := d.blocks[worker]
		d.fill(b, r, pairs[from:end])
		b.Run(end - from)
		for i, x := range b.Of(d.of.Output)[:end-from] {
			to[from+i] = float32(x)
		}
	})
}

// Slopes adds up the loss of pairs, each of which counts weight, and its gradients, which are set to 0 before.
func (d *Decoder) Slopes(r *Rows, pairs []dataset.Pair, wanted []float32, weight float64, to *Slopes) (loss float64) {
	d.load(r)
	clear(to.Vectors)
	clear(to.Biases)
	sums := make([][]float64, len(d.of.Slopes))
	for i, each := range d.slopes[0] {
		sums[i] = make([]float64, len(each))
	}
	for len(pairs) > 0 {
		n := min(len(pairs), batchBlocks*blockRows)
		count := (n + blockRows - 1) / blockRows
		d.each(count, func(worker, k int) {
			from, end := k*blockRows, min((k+1)*blockRows, n)
			d.block(d.blocks[worker], k, r, pairs[from:end], wanted[from:end], weight)
		})
		for k := range count {
			loss += d.losses[k]
			for i, each := range d.slopes[k] {
				for j, x := range each {
					sums[i][j] += x
				}
			}
		}
		d.scatter(r, pairs[:n], to)
		pairs, wanted = pairs[n:], wanted[n:]
	}
	for i, each := range sums {
		for j, x := range each {
			to.Parameters[i][j] = float32(x)
		}
	}
	return loss
}

// load gives all blocks the parameters.
func (d *Decoder) load(r *Rows) {
	for _, b := range d.blocks {
		for i, l := range d.of.Learned {
			for j, x := range r.Parameters[i] {
				b.Of(l.Value)[j] = float64(x)
			}
		}
	}
}

// fill gives a block the rows of pairs.
func (d *Decoder) fill(b *rowwise.Block, r *Rows, pairs []dataset.Pair) {
	for end, of := range d.of.Ends {
		width := of.Vector.Width
		vectors, biases := b.Of(of.Vector), b.Of(of.Bias)
		for i, p := range pairs {
			v := endOf(p, end)
			row := vectors[i*width : (i+1)*width]
			for j, x := range r.Vectors[int(v)*width : (int(v)+1)*width] {
				row[j] = float64(x)
			}
			if r.Biases != nil {
				biases[i] = float64(r.Biases[r.bias(v, end)])
			}
		}
	}
}

func endOf(p dataset.Pair, end int) uint32 {
	if dataflow.End(end) == dataflow.AtSource {
		return p.Source
	}
	return p.Target
}

// block computes block k of a batch, and leaves its slopes.
func (d *Decoder) block(b *rowwise.Block, k int, r *Rows, pairs []dataset.Pair, wanted []float32, weight float64) {
	d.fill(b, r, pairs)
	for i, x := range wanted {
		b.Of(d.of.Wanted)[i], b.Of(d.of.Weight)[i] = float64(x), weight
	}
	b.Run(len(pairs))
	d.losses[k] = b.Of(d.of.Loss)[0]
	for i, v := range d.of.Slopes {
		if v != nil {
			copy(d.slopes[k][i], b.Of(v))
		}
	}
	for end, of := range d.of.Ends {
		if of.VectorSlope != nil {
			copy(d.ends[end][2*k], b.Of(of.VectorSlope))
		}
		if of.BiasSlope != nil {
			copy(d.ends[end][2*k+1], b.Of(of.BiasSlope))
		}
	}
}

// scatter adds the slopes of a batch to those of vertices. Each worker has vertices of its own, and goes through all
// pairs in their order.
func (d *Decoder) scatter(r *Rows, pairs []dataset.Pair, to *Slopes) {
	workers := uint32(len(d.blocks))
	d.each(len(d.blocks), func(_, stripe int) {
		for i, p := range pairs {
			k, row := i/blockRows, i%blockRows
			for end, of := range d.of.Ends {
				v := endOf(p, end)
				if v%workers != uint32(stripe) {
					continue
				}
				if of.VectorSlope != nil {
					width := of.Vector.Width
					sum := to.Vectors[int(v)*width : (int(v)+1)*width]
					for j, x := range d.ends[end][2*k][row*width : (row+1)*width] {
						sum[j] += float32(x)
					}
				}
				if of.BiasSlope != nil {
					to.Biases[r.bias(v, end)] += float32(d.ends[end][2*k+1][row])
				}
			}
		}
	})
}

// each runs tasks, any worker any of them.
func (d *Decoder) each(tasks int, run func(worker, task int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for worker := range min(tasks, len(d.blocks)) {
		all.Go(func() {
			for {
				task := int(next.Add(1)) - 1
				if task >= tasks {
					return
				}
				run(worker, task)
			}
		})
	}
	all.Wait()
}
