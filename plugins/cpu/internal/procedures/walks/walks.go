// Package walks goes along edges by chance. It takes 16 bytes a vertex, and 4 for each entry of the lists that walks
// follow, 12 where edges have weights; and 16 for each entry of the longest list, for each thread.
//
//	chunks ──NewNetwork──▶ Network ──▶ Walker ──Walk──▶ walks
package walks

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/embedding"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// walking writes walks into the result column, so that it has no more than one in its hands.
type walking struct {
	procedures.Input
	column algorithms.Column
	walks  []int64
}

func init() {
	procedures.Register("random-walk", func(f procedures.Input) (procedures.Procedure, error) {
		a, err := catalog.Lookup("random-walk")
		if err != nil {
			return nil, err
		}
		w := &walking{Input: f, column: a.Columns(f.Args)[0]}
		err = Require(f, algorithms.Column{Name: "walk", Type: algorithms.VertexID, Each: w.column.Each})
		w.walks = f.Columns["walk"].Ints
		return w, err
	})
}

// Scratch: the network, and a walk of each thread.
func (w *walking) Scratch() uint64 {
	return NetworkBytes(w.Input) + 4*uint64(w.column.Path)*uint64(w.Pool.Threads)
}

func (w *walking) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	network, err := NewNetwork(ctx, w.Input, chunks, procedures.Progress{To: 0.2, Tell: tell})
	if err != nil {
		return 0, err
	}
	walker, sources := NewWalker(network, w.Args), w.sources()
	walks := make([][]uint32, w.Pool.Threads)
	for i := range walks {
		walks[i] = make([]uint32, 0, w.column.Path)
	}
	part := procedures.Progress{From: 0.2, To: 1, Tell: tell}
	err = w.Groups(ctx, nil, part, func(worker, from, to int, _ []*csr.Chunk) {
		for v := from; v < to; v++ {
			place := int(network.Places[v])
			all := w.walks[place*w.column.Each:][:w.column.Each]
			for i := range all {
				all[i] = algorithms.Unreached
			}
			if !network.Begins(uint32(v)) || !w.begins(place, sources) {
				continue
			}
			for i := 0; len(all) > 0; i, all = i+1, all[w.column.Path:] {
				draws := embedding.WalkDraws(w.Args, w.Columns["id"].Ints[place], i)
				for k, x := range walker.Walk(walks[worker], uint32(v), draws) {
					all[k] = w.Columns["id"].Ints[network.Places[x]]
				}
			}
		}
	})
	return csr.Entries(chunks), err
}

// sources are the ids of those that are named, ascending; nil: all.
func (w *walking) sources() []int64 {
	return slices.Sorted(slices.Values(w.Args.Vertices["sourceNodes"]))
}

func (w *walking) begins(place int, sources []int64) bool {
	_, named := slices.BinarySearch(sources, w.Columns["id"].Ints[place])
	return named || len(sources) == 0
}
