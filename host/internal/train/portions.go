package train

import (
	"context"
	"iter"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/sample"
	"github.com/penstock-db/penstock/host/internal/train/sampling"
	"github.com/penstock-db/penstock/plugins"
)

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
		b := &batch{s, next.Batch, sample.Dropout(s.batches.Sampler.Seed, epoch, sum.Batches), sum.Batches,
			make([]uint64, len(next.Batch.Portions))}
		for k, p := range b.portions() {
			b.sent(k, s.batches.Bring(k, p))
		}
		if err := learn(b); err != nil {
			return sum, err
		}
		sum.add(b)
		next.Done()
	}
	if err := context.Cause(ctx); err != nil {
		return sum, err
	}
	return sum, bring(s, c, all)
}

// batch is one that has been brought to the devices.
type batch struct {
	session *Session
	*sampling.Batch
	dropout dataflow.Dropout
	number  int
	brought []uint64 // bytes, to each device
}

// portions are those of devices that have any of the seeds.
func (b *batch) portions() iter.Seq2[int, *sampling.Portion] {
	return func(yield func(int, *sampling.Portion) bool) {
		for k := range b.Portions {
			if p := &b.Portions[k]; p.Seeds > 0 && !yield(k, p) {
				return
			}
		}
	}
}

// sent counts bytes.
func (b *batch) sent(device int, bytes uint64) {
	b.session.Rec.Meter.Sent(bytes, 0)
	b.session.group.Devices[device].Spent.Sent(bytes, 0)
	b.brought[device] += bytes
}

// write gives an input that varies rows of the seeds.
func (b *batch) write(name string, width int, rows []float32) {
	for k, p := range b.portions() {
		b.sent(k, b.session.batches.Write(name, k, p, rows[p.First*width:(p.First+p.Seeds)*width]))
	}
}

// pass has the devices compute a pass over the batch, each over its portion.
func (b *batch) pass(number int) error {
	var devices errgroup.Group
	for k, p := range b.portions() {
		command := plugins.Command{Op: plugins.Pass, Pass: uint32(number), Seed: b.dropout.Seed,
			Epoch: uint32(b.dropout.Epoch),
			Batch: plugins.BatchSize{Vertices: uint64(len(p.Vertices)), Edges: uint64(p.Edges())}}
		devices.Go(func() error {
			_, err := b.session.group.Devices[k].Stream.Do(command, nil)
			return err
		})
	}
	return devices.Wait()
}

// left is what a pass has left of a root on a device: of vertices, a row of each of its portion.
func (b *batch) left(device, number int, root *dataflow.Value) []float32 {
	at := b.session.batches.results[device][number]
	return resultAmong(b.session.at.network.Passes[number].Roots, root, at, uint64(len(b.Portions[device].Vertices)),
		everything)
}

// seeds is what a pass has left of a root at the seeds.
func (b *batch) seeds(number int, root *dataflow.Value) (rows []float32) {
	for k, p := range b.portions() {
		rows = append(rows, b.left(k, number, root)[:p.Seeds*root.Width]...)
	}
	return rows
}

// slope is what the pass that learns has left of a gradient, or of the loss: what the devices have left of it is added
// up, in their order, where the optimizer is. Of rows of vertices it is those of all, of which the batch has some.
func (b *batch) slope(root *dataflow.Value) (sum []float32) {
	if root.Place == dataflow.Vertices {
		return b.slopeOfRows(root)
	}
	for k := range b.portions() {
		left := b.left(k, learnPass, root)
		if sum == nil {
			sum = left
			continue
		}
		for i, x := range left {
			sum[i], left[i] = sum[i]+x, 0 // it counts once, whoever asks again
		}
	}
	return sum
}

// slopeOfRows is slope of rows of vertices, which several devices may have.
func (b *batch) slopeOfRows(root *dataflow.Value) []float32 {
	rows, width := make([]float32, b.session.vertices*uint64(root.Width)), root.Width
	for k, p := range b.portions() {
		left := b.left(k, learnPass, root)
		for i, v := range p.Vertices {
			to := rows[int(v)*width : (int(v)+1)*width]
			for j, x := range left[i*width : (i+1)*width] {
				to[j] += x
			}
		}
	}
	return rows
}

// Brought is what an epoch of batches came to on a device.
type Brought struct {
	Batches  int    `json:"batches"`
	Vertices uint64 `json:"vertices"` // of all batches
	Edges    uint64 `json:"edges"`    // of all batches
	Bytes    uint64 `json:"bytes"`    // brought to the device
}

// Sampled is what an epoch of batches came to. Several devices have portions of a batch, which may have vertices and
// edges in common; Bytes is what all of them were brought.
type Sampled struct {
	Brought
	Devices []Brought `json:"devices,omitempty"`
}

// add counts a batch, of which devices have been brought portions.
func (s *Sampled) add(b *batch) {
	s.Batches++
	s.Vertices, s.Edges = s.Vertices+uint64(len(b.Graph.Vertices)), s.Edges+uint64(b.Graph.Edges())
	if len(b.Portions) > 1 && s.Devices == nil {
		s.Devices = make([]Brought, len(b.Portions))
	}
	for k, bytes := range b.brought {
		if s.Bytes += bytes; s.Devices == nil || bytes == 0 {
			continue
		}
		d := &s.Devices[k]
		d.Batches++
		d.Vertices, d.Edges = d.Vertices+uint64(len(b.Portions[k].Vertices)), d.Edges+uint64(b.Portions[k].Edges())
		d.Bytes += bytes
	}
}
