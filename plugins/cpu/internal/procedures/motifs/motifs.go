// Package motifs counts the connected patterns of three and four vertices at each vertex. It takes 32 bytes an edge, 40
// a vertex, and 24 a vertex for each thread.
//
//	edges      triangles of each edge and vertex                        (motifs.go)
//	opposite   cycles and cliques, each found once                      (found.go)
//	forms      what edges make of four vertices, and of which no more    (forms.go)
package motifs

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/neighbors"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// motifs counts what edges make of vertices, whether or not there are more edges between them, and solves for those
// where there are not. (Hočevar and Demšar 2014; Pinar et al. 2017.) All but cycles and cliques follows from degrees
// and triangles of edges.
type motifs struct {
	procedures.Input
	columns   [forms][]int64
	net       *neighbors.Network
	triangles []int32 // of each edge
	at        []int64 // triangles of each vertex
	reach     []int64 // of each vertex, Σ d(u) - 1 over its neighbors u
}

// maxDegree is the most neighbors of a vertex of which the numbers of stars and of paths fit 64 bits.
const maxDegree = 1 << 21

func init() {
	procedures.Register("motifs", func(f procedures.Input) (procedures.Procedure, error) {
		if f.N > math.MaxInt32 || f.Graph.Edges > math.MaxInt32 {
			return nil, plugins.Errorf(plugins.KindUnsupported, "motifs of %d vertices and %d edges: up to %d of each",
				f.N, f.Graph.Edges, math.MaxInt32)
		}
		m := &motifs{Input: f}
		for i, name := range names {
			if err := f.Columns.Require(algorithms.Column{Name: name, Type: algorithms.Int}); err != nil {
				return nil, err
			}
			m.columns[i] = f.Columns[name].Ints
		}
		return m, nil
	})
}

// Scratch: lists of neighbors and of those of higher rank, triangles of edges, and what workers have found.
func (m *motifs) Scratch() uint64 {
	return neighbors.Bytes(m.Graph) + 8*m.Graph.Edges + 28*uint64(m.N) + uint64(m.Pool.Threads)*foundBytes*uint64(m.N)
}

func (m *motifs) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (edges uint64, err error) {
	m.net, err = neighbors.Read(ctx, m.Input, chunks, procedures.Progress{From: 0, To: 0.1, Tell: tell})
	if err != nil {
		return 0, err
	}
	m.triangles, m.at, m.reach = make([]int32, len(m.net.Ends)), make([]int64, m.N), make([]int64, m.N)
	for v := range m.N {
		if d := m.net.Degree(uint32(v)); d > maxDegree {
			return 0, plugins.Errorf(plugins.KindUnsupported, "motifs at a vertex of %d neighbors: up to %d", d, maxDegree)
		}
	}
	// Each is done for all vertices before the next.
	for i, step := range []func(v uint32){m.close, m.sum, m.count} {
		part := procedures.Progress{From: 0.1 + 0.1*float64(i), To: 0.2 + 0.1*float64(i), Tell: tell}
		err := m.Groups(ctx, nil, part, func(_, from, to int, _ []*csr.Chunk) {
			for v := from; v < to && ctx.Err() == nil; v++ {
				step(uint32(v))
			}
		})
		if err != nil {
			return 0, err
		}
	}
	if err := m.find(ctx, procedures.Progress{From: 0.4, To: 0.95, Tell: tell}); err != nil {
		return 0, err
	}
	return 4 * csr.Entries(chunks), m.Pool.Blocks(ctx, m.N, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			m.solve(v)
		}
	})
}

// close counts the triangles of each edge whose lower end is v.
func (m *motifs) close(v uint32) {
	near, edges := m.net.Of(v)
	for i, u := range near {
		if u > v {
			count := int32(0)
			m.net.Triangles(edges[i], func(uint32, uint32) { count++ })
			m.triangles[edges[i]] = count
		}
	}
}

// sum adds up the triangles of v, and how far paths of two edges reach.
func (m *motifs) sum(v uint32) {
	near, edges := m.net.Of(v)
	for i, u := range near {
		m.at[v] += int64(m.triangles[edges[i]])
		m.reach[v] += int64(m.net.Degree(u)) - 1
	}
	m.at[v] /= 2
}
