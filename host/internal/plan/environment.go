package plan

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/store"
)

// Graph is what planning knows of a snapshot: what its manifest says. No chunk is read.
type Graph interface {
	Manifest() *store.Manifest
	Chunks(d chunk.Direction) []store.ChunkInfo
	// ChunkSize is the bytes of a chunk that is projected to these columns, at most.
	ChunkSize(info store.ChunkInfo, columns []string) (int, error)
}

// Vertices finds the vertices that a request names.
type Vertices interface {
	Vertex(ctx context.Context, user string) (dense uint64, err error)
	ID(ctx context.Context, dense uint64) (int64, error)
}

// Properties reads what vertices have.
type Properties interface {
	NodeProperty(ctx context.Context, name string, yield func(from uint64, values arrow.Array) error) error
	// LargestDegree is the length of the longest list of a direction.
	LargestDegree(ctx context.Context, d chunk.Direction) (uint32, error)
}

// Named is a graph whose vertices can be looked up, as a *store.Snapshot is.
type Named interface {
	Graph
	Vertices
	Properties
}

// environment is what an algorithm's parameters are checked against.
func environment(ctx context.Context, g Named) algorithms.Env {
	return algorithms.Env{
		Directed:      g.Manifest().Directed,
		N:             int(g.Manifest().Vertices),
		M:             int(g.Manifest().Edges),
		EdgeColumns:   numericEdgeColumns(g.Manifest()),
		VertexColumns: numericVertexColumns(g.Manifest()),
		Vectors:       vectors(g.Manifest()),
		VectorWidth:   func(property string) (int, error) { return dataset.Width(ctx, g, property) },
		MostIn: func() (int64, error) {
			most, err := g.LargestDegree(ctx, chunk.In)
			return int64(most), err
		},
		Vertex: func(user string) (int64, error) { return VertexID(ctx, g, user) },
	}
}

// numericTypes are the Arrow types that a chunk gives as float64.
var numericTypes = append([]string{"float64", "float32"}, wholeTypes...)

// wholeTypes are those of them that are given as int64 where a procedure is given vertex properties.
var wholeTypes = []string{"int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8"}

func numericVertexColumns(m *store.Manifest) (columns []algorithms.Column) {
	for _, p := range m.NodeProperties {
		switch {
		case slices.Contains(wholeTypes, p.Type):
			columns = append(columns, algorithms.Column{Name: p.Name, Type: algorithms.Int})
		case slices.Contains(numericTypes, p.Type):
			columns = append(columns, algorithms.Column{Name: p.Name, Type: algorithms.Float})
		}
	}
	return columns
}

// vectors are the vertex properties of numbers, and of lists of them.
func vectors(m *store.Manifest) (names []string) {
	for _, p := range m.NodeProperties {
		numeric := slices.Contains(numericTypes, p.Type)
		if f, err := p.Field(); err == nil && !numeric {
			list, ok := f.Type.(arrow.ListLikeType)
			numeric = ok && slices.Contains(numericTypes, list.Elem().String())
		}
		if numeric {
			names = append(names, p.Name)
		}
	}
	return names
}

func numericEdgeColumns(m *store.Manifest) []string {
	var names []string
	for _, p := range m.EdgeProperties {
		if slices.Contains(numericTypes, p.Type) {
			names = append(names, p.Name)
		}
	}
	return names
}

// SeveralTypesError says that a property that is asked for is of no use to an algorithm as it is, and what to do.
type SeveralTypesError struct {
	Err    error // what else there is to say
	Reason string
}

func (e *SeveralTypesError) Error() string { return e.Err.Error() + "; " + e.Reason }

func (e *SeveralTypesError) Unwrap() error { return e.Err }

// explained is an error with what there is to say of a property that it names, if that has values of several types. Of
// a parameter what was given names properties.
func explained(err error, m *store.Manifest) error {
	text := err.Error()
	if param, ok := errors.AsType[*algorithms.ParamError](err); ok {
		text = param.Value
	}
	for _, p := range m.EdgeProperties {
		if dataset.OfSeveralTypes(p.Type) && mentions(text, p.Name) {
			return &SeveralTypesError{err, "edges have, as " + p.Name + ", " + dataset.MakeFloats("()-[r]->()", "r", p.Name)}
		}
	}
	for _, p := range m.NodeProperties {
		if dataset.OfSeveralTypes(p.Type) && mentions(text, p.Name) {
			return &SeveralTypesError{err, "nodes have, as " + p.Name + ", " + dataset.MakeFloats("(n)", "n", p.Name)}
		}
	}
	return err
}

// mentions tells whether a text has a word.
func mentions(text, word string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), word)
}

// VertexID is the `id`, as programs see it, of the vertex that a user names.
func VertexID(ctx context.Context, v Vertices, user string) (int64, error) {
	dense, err := v.Vertex(ctx, user)
	if err != nil {
		return 0, err
	}
	return v.ID(ctx, dense)
}

// Directions are those in which a graph has chunks of its own.
func Directions(m *store.Manifest) []chunk.Direction {
	if m.Directed {
		return []chunk.Direction{chunk.Out, chunk.In}
	}
	return []chunk.Direction{chunk.Out}
}

// GraphBytes is what all chunks take in the arena, at most.
func GraphBytes(g Graph) (bytes uint64) {
	for _, d := range Directions(g.Manifest()) {
		for _, c := range g.Chunks(d) {
			bytes += uint64(c.Bytes)
		}
	}
	return bytes
}
