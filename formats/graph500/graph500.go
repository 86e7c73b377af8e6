// Package graph500 generates graphs of any size from a seed.
//
//	edge number ──counter-based random──▶ RMAT or uniform pair ──scramble──▶ edge
//
// RMAT follows the Graph500 specification (section 3; Chakrabarti, Zhan and Faloutsos,
// SDM 2004): an edge descends scale times into one of four quadrants of the adjacency
// matrix, with probabilities A, B, C and the rest; then vertex ids are permuted, so
// that an id does not tell its degree. Each edge depends on the seed and its own number
// only, so that ranges of edges can be made anywhere, in any order. Loops and parallel
// edges occur, as the specification has it. A source holds one batch.
package graph500

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
)

// Kind is how edges are distributed.
type Kind string

const (
	// RMAT has few vertices of very high degree.
	RMAT Kind = "rmat"
	// Uniform draws both ends of each edge evenly (Erdős and Rényi's G(n, m), with repetition).
	Uniform Kind = "uniform"
)

// MaxScale is the largest scale: 2^40 vertices.
const MaxScale = 40

// DefaultEdgeFactor is that of the Graph500 benchmark.
const DefaultEdgeFactor = 16

// maxWeight is the largest weight, as in the GAP benchmark suite.
const maxWeight = 255

// Options describe a graph.
type Options struct {
	Kind       Kind
	Scale      int // the graph has 2^Scale vertices, 0 … 2^Scale-1
	EdgeFactor int // and EdgeFactor edges for each of them
	Seed       uint64
	// Weights adds the Float64 property "weight": integers from 1 to 255, evenly distributed.
	Weights bool
	// Allocator holds the weights; nil: memory.DefaultAllocator.
	Allocator memory.Allocator
}

// OptionError says which option cannot be.
type OptionError struct {
	Option, Found, Expected string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("generate: %s is %s; expected %s", e.Option, e.Found, e.Expected)
}

// New is the graph that opts describe, undirected as Graph500 wants it; a user may
// load it as directed. The same options give the same edges in the same order.
func New(opts Options) (formats.Source, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	s := &source{opts: opts, vertices: 1 << opts.Scale}
	s.edges = s.vertices * int64(opts.EdgeFactor)
	if opts.Weights {
		s.schema = arrow.NewSchema([]arrow.Field{{Name: formats.WeightColumn, Type: arrow.PrimitiveTypes.Float64,
			Nullable: true}}, nil)
	}
	return s, nil
}

func (o Options) check() error {
	switch {
	case o.Kind != RMAT && o.Kind != Uniform:
		return &OptionError{"kind", fmt.Sprintf("%q", o.Kind), "rmat or uniform"}
	case o.Scale < 0 || o.Scale > MaxScale:
		return &OptionError{"scale", fmt.Sprint(o.Scale), fmt.Sprintf("0 to %d", MaxScale)}
	case o.EdgeFactor < 1 || o.EdgeFactor > 1<<20:
		return &OptionError{"edge factor", fmt.Sprint(o.EdgeFactor), fmt.Sprintf("1 to %d", 1<<20)}
	}
	return nil
}

type source struct {
	opts            Options
	vertices, edges int64
	schema          *arrow.Schema // nil: no weights
}

func (s *source) Schema() formats.Schema {
	return formats.Schema{
		Orientation: formats.Undirected, NodesDeclared: true, IntegerIDs: true,
		Edge: s.schema, Vertices: s.vertices, Edges: s.edges, Declared: formats.Position{File: s.name()},
	}
}

func (s *source) Close() error { return nil }

// name stands for a file in error messages.
func (s *source) name() string {
	return fmt.Sprintf("%s graph of scale %d", s.opts.Kind, s.opts.Scale)
}

func (s *source) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	return batch.Interval(ctx, 0, s.vertices, formats.Position{File: s.name()}, yield)
}

func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	mem := formats.Options{Allocator: s.opts.Allocator}.Mem()
	edges := batch.NewEdges(ctx, mem, s.name(), s.schema, yield)
	defer edges.Release()
	draw := newEdgeDraw(s.opts)
	for number := range s.edges {
		src, dst, weight := draw.edge(uint64(number))
		if s.opts.Weights {
			edges.Float(0).Append(weight)
		}
		if err := edges.Add(src, dst, 0); err != nil {
			return err
		}
	}
	return edges.Flush()
}
