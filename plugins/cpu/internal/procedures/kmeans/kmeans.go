// Package kmeans cuts vertices into clusters by their vectors: Lloyd's search (lloyd.go), which begins with centers
// that are drawn (sampling.go) and compares 32 vertices with 32 centers at a time (assigner.go).
//
//	vectors ──draw──▶ centers ──assign──▶ communities ──▶ distances ──▶ the best of several searches
//	                     ▲                     │
//	                     └───────means─────────┘
//
// It takes 4 bytes a vertex, 12 more where it restarts, 20 bytes a number of a center, 16 a center, and 128 a center
// and thread. Silhouettes (silhouette.go) take 8 bytes a center, and 8 a center and thread.
package kmeans

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// kmeans is a task. (Lloyd 1982; Arthur and Vassilvitskii 2007.)
type kmeans struct {
	procedures.Input
	ids, community []int64
	distance       []float64
	silhouette     []float64 // nil: nobody asks for it
	vectors        []float32
	width          int
	clusters       int
}

func init() {
	procedures.Register("kmeans", func(f procedures.Input) (procedures.Procedure, error) {
		if f.N > math.MaxInt32 {
			return nil, plugins.Errorf(plugins.KindUnsupported, "clusters of %d vertices: up to %d", f.N, math.MaxInt32)
		}
		if err := f.Columns.Require(algorithms.Column{Name: "id", Type: algorithms.Int},
			algorithms.Column{Name: "community", Type: algorithms.Int},
			algorithms.Column{Name: "distanceFromCentroid", Type: algorithms.Float}); err != nil {
			return nil, err
		}
		s := &kmeans{Input: f}
		if f.Args.Strings["computeSilhouette"] == "true" {
			if err := f.Columns.Require(algorithms.Column{Name: "silhouette", Type: algorithms.Float}); err != nil {
				return nil, err
			}
			s.silhouette = f.Columns["silhouette"].Floats
		}
		width := int(f.Args.Ints["nodeProperty"])
		vectors, err := f.Rows.Require(algorithms.InputColumn("nodeProperty"), f.N*width)
		s.ids, s.community = f.Columns["id"].Ints, f.Columns["community"].Ints
		s.distance = f.Columns["distanceFromCentroid"].Floats
		s.vectors, s.width, s.clusters = vectors, width, min(int(f.Args.Ints["k"]), f.N)
		return s, err
	})
}

// Scratch: an order of vertices, the best result so far, and centers with their sums.
func (s *kmeans) Scratch() uint64 {
	bytes := 4 * uint64(s.N)
	if s.restarts() > 1 {
		bytes += 12 * uint64(s.N)
	}
	if s.silhouette != nil {
		bytes += 8 * uint64(s.clusters) * uint64(s.Pool.Threads+1)
	}
	return bytes + uint64(s.clusters)*(16*uint64(s.width)+16) + uint64(s.blocks()*vector.Abreast)*4*uint64(s.width) +
		uint64(s.Pool.Threads)*assignerBytes(s)
}

func (s *kmeans) restarts() int { return int(s.Args.Ints["numberOfRestarts"]) }

func (s *kmeans) Call(ctx context.Context, _ []*csr.Chunk, tell func(float64)) (uint64, error) {
	if s.N == 0 {
		return 0, ctx.Err()
	}
	var best result
	l, all := newLloyd(s), float64(s.restarts())
	if s.silhouette != nil {
		all++
	}
	for r := range s.restarts() {
		part := procedures.Progress{From: float64(r) / all, To: float64(r+1) / all, Tell: tell}
		if err := s.draw(ctx, l, r); err != nil {
			return 0, err
		}
		if err := l.search(ctx, part); err != nil {
			return 0, err
		}
		if s.restarts() > 1 {
			best.keep(s)
		}
	}
	best.write(s)
	if s.silhouette != nil {
		return 0, s.silhouettes(ctx, procedures.Progress{From: (all - 1) / all, To: 1, Tell: tell})
	}
	return 0, ctx.Err()
}

// result is the best of several searches.
type result struct {
	mean      float64
	community []uint32
	distance  []float64
}

// keep keeps what a search has come to, if its mean distance is less.
func (b *result) keep(s *kmeans) {
	mean := 0.0
	for _, x := range s.distance {
		mean += x
	}
	mean /= float64(s.N)
	if b.community != nil && !(mean < b.mean) {
		return
	}
	if b.community == nil {
		b.community, b.distance = make([]uint32, s.N), make([]float64, s.N)
	}
	b.mean = mean
	copy(b.distance, s.distance)
	for v, c := range s.community {
		b.community[v] = uint32(c)
	}
}

// write makes it the result, if there were several.
func (b *result) write(s *kmeans) {
	copy(s.distance, b.distance)
	for v, c := range b.community {
		s.community[v] = int64(c)
	}
}
