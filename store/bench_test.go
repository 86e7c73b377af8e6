package store

import (
	"context"
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// rmat is a Graph500 graph with 16 edges a vertex.
func rmat(b *testing.B, scale int, weights bool) formats.Source {
	src, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: scale, EdgeFactor: 16, Seed: 1,
		Weights: weights})
	must(b, err)
	return src
}

// BenchmarkLoad reports edges a second, the generator's time included.
func BenchmarkLoad(b *testing.B) {
	for _, c := range []struct {
		scale       int
		weights     bool
		orientation formats.Orientation
	}{{18, false, formats.Directed}, {18, true, formats.Directed}, {18, false, formats.Undirected}} {
		b.Run(fmt.Sprintf("rmat-%d/weights=%t/orientation=%d", c.scale, c.weights, c.orientation), func(b *testing.B) {
			db, err := Open(b.TempDir(), Options{Create: true})
			must(b, err)
			defer db.Close()
			edges := uint64(0)
			for b.Loop() {
				m, err := db.Load(context.Background(), "g", rmat(b, c.scale, c.weights),
					load.Options{Orientation: c.orientation, Replace: true})
				must(b, err)
				edges += m.Edges
			}
			b.ReportMetric(float64(edges)/b.Elapsed().Seconds()/1e6, "Medges/s")
		})
	}
}

// BenchmarkReadChunk reads all out-chunks, with and without the weights.
func BenchmarkReadChunk(b *testing.B) {
	db, err := Open(b.TempDir(), Options{Create: true})
	must(b, err)
	defer db.Close()
	_, err = db.Load(context.Background(), "g", rmat(b, 18, true), load.Options{Orientation: formats.Directed})
	must(b, err)
	s, err := db.Snapshot("g")
	must(b, err)
	defer s.Close()
	for _, columns := range [][]string{nil, {formats.WeightColumn}} {
		b.Run(fmt.Sprint(columns), func(b *testing.B) {
			for b.Loop() {
				b.SetBytes(readAll(b, s, columns))
			}
		})
	}
}

func readAll(b *testing.B, s *snapshot.Snapshot, columns []string) (total int64) {
	var dst []byte
	for _, info := range s.Chunks(chunk.Out) {
		size, err := s.ChunkSize(info, columns)
		must(b, err)
		if size > len(dst) {
			dst = chunk.Aligned(size)
		}
		n, err := s.ReadChunk(context.Background(), info, columns, dst)
		must(b, err)
		total += int64(n)
	}
	return total
}
