// Package sbm generates graphs with classes, to learn them by: the stochastic block model with a planted partition of
// equal classes (Holland, Laskey and Leinhardt, Social Networks 1983), and features that tell the class, more or less.
//
//	vertex v ──▶ class v mod k, features: the mean of its class times Signal, plus noise
//	edge number ──counter-based random──▶ a vertex, and another of its class, or with probability Mixing of another class
//
// Whether classes can be found in the edges alone is known (Decelle, Krzakala, Moore and Zdeborová, Physical Review E
// 2011): for two classes, where the expected degree times (1-2·Mixing)² is above 1.
package sbm

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
)

// Options describe a graph. Node properties are class, an integer, and features, a list of numbers.
type Options struct {
	Scale      int // the graph has 2^Scale vertices
	EdgeFactor int // and EdgeFactor edges for each of them
	Classes    int
	Features   int     // how wide rows are
	Mixing     float64 // the share of edges that lead to another class
	Signal     float64 // how far the means of classes lie apart, in deviations of the noise
	Seed       uint64
	Allocator  memory.Allocator // holds properties; nil: memory.DefaultAllocator
}

// maxScale is the largest scale: 2^40 vertices.
const maxScale = 40

// OptionError says which option cannot be.
type OptionError struct {
	Option, Found, Expected string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("generate: %s is %s; expected %s", e.Option, e.Found, e.Expected)
}

func (o Options) check() error {
	switch {
	case o.Scale < 1 || o.Scale > maxScale:
		return &OptionError{"scale", fmt.Sprint(o.Scale), fmt.Sprintf("1 to %d", maxScale)}
	case o.EdgeFactor < 1 || o.EdgeFactor > 1<<20:
		return &OptionError{"edge factor", fmt.Sprint(o.EdgeFactor), fmt.Sprintf("1 to %d", 1<<20)}
	case o.Classes < 2 || o.Classes > 1<<16 || o.Classes > 1<<o.Scale:
		return &OptionError{"number of classes", fmt.Sprint(o.Classes), "2 to 65536, and no more than there are vertices"}
	case o.Features < 1 || o.Features > 1<<16:
		return &OptionError{"number of features", fmt.Sprint(o.Features), "1 to 65536"}
	case !(o.Mixing >= 0 && o.Mixing <= 1):
		return &OptionError{"mixing", fmt.Sprint(o.Mixing), "a share from 0 to 1"}
	case !(o.Signal >= 0 && o.Signal <= 1e6):
		return &OptionError{"signal", fmt.Sprint(o.Signal), "0 to 1e6"}
	}
	return nil
}

// New is the graph that o describes, undirected. The same options give the same graph.
func New(o Options) (formats.Source, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	return &source{o: o, vertices: 1 << o.Scale, nodes: arrow.NewSchema([]arrow.Field{
		{Name: "class", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "features", Type: arrow.ListOf(arrow.PrimitiveTypes.Float64), Nullable: true}}, nil)}, nil
}

// Nodes is the nodes of the graph that o describes, with the edges of another of as many vertices, whose ids are 0 to
// n - 1: features are as wide as they shall be, and say nothing of edges.
func Nodes(o Options, edges formats.Source) (formats.Source, error) {
	o.EdgeFactor = max(o.EdgeFactor, 1)
	own, err := New(o)
	if err != nil {
		return nil, err
	}
	if has := edges.Schema().Vertices; has != own.Schema().Vertices || !edges.Schema().IntegerIDs {
		return nil, &OptionError{"scale", fmt.Sprint(o.Scale), fmt.Sprintf("that of edges between %d vertices", has)}
	}
	return &nodesOver{own.(*source), edges}, nil
}

// nodesOver has the nodes of one source, and the edges of another.
type nodesOver struct {
	*source
	edges formats.Source
}

func (s *nodesOver) Schema() formats.Schema {
	schema := s.edges.Schema()
	schema.Node, schema.NodesDeclared = s.nodes, true
	return schema
}

func (s *nodesOver) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	return s.edges.Edges(ctx, yield)
}

func (s *nodesOver) Close() error { return s.edges.Close() }

type source struct {
	o        Options
	vertices int64
	nodes    *arrow.Schema
}

func (s *source) name() string {
	return fmt.Sprintf("stochastic block model of scale %d with %d classes", s.o.Scale, s.o.Classes)
}

func (s *source) Schema() formats.Schema {
	return formats.Schema{Orientation: formats.Undirected, NodesDeclared: true, IntegerIDs: true, Node: s.nodes,
		Vertices: s.vertices, Edges: s.vertices * int64(s.o.EdgeFactor), Declared: formats.Position{File: s.name()}}
}

func (s *source) Close() error { return nil }

// Streams of random numbers, so that neither depends on how many the other has drawn.
const (
	meansStream = iota + 1
	noiseStream
	edgeStream
)

func (s *source) random(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(s.o.Seed, stream)) }

// class of a vertex.
func (s *source) class(v int64) int64 { return v % int64(s.o.Classes) }

// batchNumbers bounds the features of a batch.
const batchNumbers = 1 << 20

func (s *source) Nodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	means, draw := make([]float64, s.o.Classes*s.o.Features), s.random(meansStream)
	for i := range means {
		means[i] = s.o.Signal * draw.NormFloat64()
	}
	nodes := batch.NewNodes(ctx, formats.Options{Allocator: s.o.Allocator}.Mem(), s.name(), s.nodes, yield)
	defer nodes.Release()
	noise := s.random(noiseStream)
	for v := range s.vertices {
		class := s.class(v)
		nodes.ID.AppendInt(v)
		nodes.Int(0).Append(class)
		row := nodes.List(1)
		row.Append(true)
		for _, mean := range means[class*int64(s.o.Features) : (class+1)*int64(s.o.Features)] {
			row.ValueBuilder().(*array.Float64Builder).Append(mean + noise.NormFloat64())
		}
		if err := nodes.EndRow(0); err != nil {
			return err
		}
		if (v+1)%int64(1+batchNumbers/s.o.Features) == 0 {
			if err := nodes.Flush(); err != nil {
				return err
			}
		}
	}
	return nodes.Flush()
}

func (s *source) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	edges := batch.NewEdges(ctx, nil, s.name(), nil, yield)
	defer edges.Release()
	r := s.random(edgeStream)
	for range s.vertices * int64(s.o.EdgeFactor) {
		from := r.Int64N(s.vertices)
		class := s.class(from)
		if r.Float64() < s.o.Mixing {
			class = (class + 1 + r.Int64N(int64(s.o.Classes)-1)) % int64(s.o.Classes)
		}
		members := (s.vertices - class + int64(s.o.Classes) - 1) / int64(s.o.Classes)
		if err := edges.Add(from, class+int64(s.o.Classes)*r.Int64N(members), 0); err != nil {
			return err
		}
	}
	return edges.Flush()
}
