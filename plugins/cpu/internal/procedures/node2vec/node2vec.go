// Package node2vec embeds vertices by random walks. It takes 8 bytes a vertex and number of an embedding, what package
// walks does, 24 bytes a vertex, and 16 MiB, or room for a walk and its pairs.
//
//	Walker ──walks of an episode──▶ windows ──pairs, ordered by blocks──▶ trainer ──▶ x, y
package node2vec

import (
	"context"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/embedding"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures/walks"
)

// learning goes an episode of walks at a time: none is kept.
type learning struct {
	procedures.Input
	embedding.Embedding
	width  int
	result []float64
}

func init() {
	procedures.Register("node2vec", func(f procedures.Input) (procedures.Procedure, error) {
		width := int(f.Args.Ints["embeddingDimension"])
		err := walks.Require(f, algorithms.Column{Name: "embedding", Type: algorithms.Float, Each: width})
		return &learning{Input: f, Embedding: embedding.NewEmbedding(f.Args, f.N), width: width,
			result: f.Columns["embedding"].Floats}, err
	})
}

// Scratch: the network, both vectors of each vertex, how often walks meet it, an episode, and what threads learn with.
func (e *learning) Scratch() uint64 {
	n, width := uint64(e.N), uint64(e.width)
	return walks.NetworkBytes(e.Input) + 8*n*width + 8*n + e.drawersBytes() + e.episodeBytes() +
		uint64(e.Pool.Threads)*e.trainerBytes()
}

func (e *learning) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	if e.N == 0 {
		return 0, ctx.Err()
	}
	network, err := walks.NewNetwork(ctx, e.Input, chunks, procedures.Progress{To: 0.02, Tell: tell})
	if err != nil {
		return 0, err
	}
	walker := walks.NewWalker(network, e.Args)
	counts, met, err := e.count(ctx, walker, procedures.Progress{From: 0.02, To: 0.1, Tell: tell})
	if err != nil {
		return 0, err
	}
	x, y := e.initial(network), make([]float32, e.N*e.width)
	ep := e.newEpisode(walker, counts, met)
	trainers := make([]*trainer, e.Pool.Threads)
	for i := range trainers {
		trainers[i] = e.newTrainer(x, y)
	}
	drawers := e.newDrawers(counts)
	for number := range e.Episodes() {
		if err := ep.gather(ctx, number); err != nil {
			return met, err
		}
		if err := ep.teach(ctx, number, trainers, drawers); err != nil {
			return met, err
		}
		tell(0.1 + 0.9*float64(number+1)/float64(e.Episodes()))
	}
	return met, e.write(network, x)
}

// count is how often walks meet each vertex, and all together. The walks are gone again to learn from: they take more
// memory than time.
func (e *learning) count(ctx context.Context, w *walks.Walker, part procedures.Progress) ([]uint64, uint64, error) {
	counts, room := make([]uint64, e.N), make([][]uint32, e.Pool.Threads)
	err := e.Groups(ctx, nil, part, func(worker, from, to int, _ []*csr.Chunk) {
		if room[worker] == nil {
			room[worker] = make([]uint32, 0, e.Args.Ints["walkLength"])
		}
		for v := from; v < to; v++ {
			if !w.Begins(uint32(v)) {
				continue
			}
			for i := range int(e.Args.Ints["walksPerNode"]) {
				for _, met := range w.Walk(room[worker], uint32(v), embedding.WalkDraws(e.Args, e.id(w.Network, v), i)) {
					atomic.AddUint64(&counts[met], 1)
				}
			}
		}
	})
	met := uint64(0)
	for _, count := range counts {
		met += count
	}
	return counts, met, err
}

func (e *learning) id(n *walks.Network, v int) int64 { return e.Columns["id"].Ints[n.Places[v]] }

func (e *learning) initial(n *walks.Network) []float32 {
	x := make([]float32, e.N*e.width)
	for v := range e.N {
		e.Initial(e.id(n, v), x[v*e.width:][:e.width])
	}
	return x
}

// write gives each vertex its embedding.
func (e *learning) write(n *walks.Network, x []float32) error {
	for v := range e.N {
		row := e.result[int(n.Places[v])*e.width:][:e.width]
		for k, number := range x[v*e.width:][:e.width] {
			row[k] = float64(number)
		}
		if err := embedding.Learned(e.id(n, v), row); err != nil {
			return plugins.Errorf(plugins.KindInvalid, "%w", err)
		}
	}
	return nil
}
