package train

import (
	"context"
	"iter"
	"math/rand/v2"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/train/decode"
)

// somePairs are examples that are learned from at a time, by the rows of their vertices in a batch: the seeds, in the
// order in which pairs name them.
type somePairs struct {
	seeds  []uint32
	pairs  []dataset.Pair
	wanted []float32
	known  int // pairs that are no negatives
}

// take adds an example.
func (b *somePairs) take(p dataset.Pair, wanted float32, rows map[uint32]uint32) {
	row := func(v uint32) uint32 {
		at, has := rows[v]
		if !has {
			at = uint32(len(b.seeds))
			rows[v], b.seeds = at, append(b.seeds, v)
		}
		return at
	}
	source := row(p.Source)
	b.pairs, b.wanted = append(b.pairs, dataset.Pair{Source: source, Target: row(p.Target)}), append(b.wanted, wanted)
}

// epochPairs are the examples of an epoch, in the order in which it learns from them.
type epochPairs struct {
	pairs     []dataset.Pair // links or values, then negatives
	wanted    []float32
	order     []int // of links or values
	size      int   // of a batch
	negatives int   // of each link
}

// inOrder are the examples of an epoch: order is a function of seed and epoch.
func (p *pairing) inOrder(epoch int) (e epochPairs, err error) {
	e.pairs, e.wanted, err = p.examples(epoch)
	if p.links() {
		e.negatives = p.Negatives
	}
	e.size = p.Batch
	e.order = rand.New(rand.NewPCG(p.Seed^batchStream, uint64(epoch))).Perm(len(p.learn.Pairs))
	return e, err
}

// batch is one by its number.
func (e *epochPairs) batch(number int) (b somePairs) {
	from, rows := number*e.size, map[uint32]uint32{}
	to := min(from+e.size, len(e.order))
	for _, i := range e.order[from:to] {
		b.take(e.pairs[i], e.wanted[i], rows)
	}
	b.known = to - from
	for i := len(e.order) + from*e.negatives; i < len(e.order)+to*e.negatives; i++ {
		b.take(e.pairs[i], e.wanted[i], rows)
	}
	return b
}

// seeds are those of all batches.
func (e *epochPairs) seeds() iter.Seq[[]uint32] {
	return func(yield func([]uint32) bool) {
		for number := 0; number*e.size < len(e.order); number++ {
			if !yield(e.batch(number).seeds) {
				return
			}
		}
	}
}

// learnPairs learns for an epoch from some examples at a time, by the sampled neighborhoods of their vertices.
func (p *pairing) learnPairs(ctx context.Context, epoch int) (loss float64, sum Sampled, err error) {
	of, err := p.inOrder(epoch)
	if err != nil {
		return 0, sum, err
	}
	sum, err = learnBatches(ctx, p.session, p.Compiled, p.all, epoch, of.seeds(), func(b *batch) error {
		some := of.batch(b.number)
		each, err := p.learnSome(b, &some, epoch)
		loss += float64(some.known) / float64(len(of.order)) * each
		return err
	})
	return loss, sum, err
}

// learnSome learns from the examples of a batch.
func (p *pairing) learnSome(b *batch, some *somePairs, epoch int) (loss float64, err error) {
	if err := b.pass(readPass); err != nil {
		return 0, err
	}
	width := p.Compiled.Program.Output.Width
	rows := decode.Rows{Vectors: b.seeds(readPass, p.Compiled.Program.Output), Parameters: p.rows.Parameters,
		Directed: p.Directed}
	slope := decode.Slopes{Vectors: make([]float32, len(rows.Vectors)), Parameters: p.slopes.Parameters}
	columns := decode.BiasColumns(p.Directed)
	if p.rows.Biases != nil {
		for _, v := range some.seeds {
			rows.Biases = append(rows.Biases, p.rows.Biases[int(v)*columns:(int(v)+1)*columns]...)
		}
		slope.Biases = make([]float32, len(rows.Biases))
	}
	loss, err = p.lossOf(p.decoder.Slopes(&rows, some.pairs, some.wanted, 1/float64(len(some.pairs)), &slope), epoch)
	if err != nil {
		return 0, err
	}
	clear(p.slopes.Biases)
	for i, v := range some.seeds {
		if slope.Biases != nil {
			copy(p.slopes.Biases[int(v)*columns:], slope.Biases[i*columns:(i+1)*columns])
		}
	}
	if len(slopes(p.Compiled)) > 0 {
		b.write(neural.InputSlope, width, slope.Vectors)
		if err := b.pass(learnPass); err != nil {
			return 0, err
		}
	}
	p.step(epoch, b.slope, p.countsOf(some))
	return loss, nil
}

// countsOf is the share of the weight decay that is on the row of each vertex, by what a batch learns from.
func (p *pairing) countsOf(some *somePairs) []float32 {
	counts := make([]float32, p.Vertices)
	for _, pair := range some.pairs[:some.known] {
		counts[some.seeds[pair.Source]] += 1 / float32(some.known)
		counts[some.seeds[pair.Target]] += 1 / float32(some.known)
	}
	return counts
}
