package store

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats/chunk"
)

// weighted is a graph with a number and a text on each edge, and types.
func weighted() *model {
	m := edgeModel()
	m.schema.Edge = arrow.NewSchema([]arrow.Field{
		{Name: "note", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "weight", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	}, nil)
	m.edges = []modelEdge{
		{"1", "3", "LIKES", []string{"first", "0.5"}},
		{"1", "2", "KNOWS", []string{"second", "1.5"}},
		{"3", "1", "", []string{null, null}},
	}
	return m
}

func TestReadChunk_Projects(t *testing.T) {
	db := testDB(t)
	m, err := db.Load(t.Context(), "g", weighted(), LoadOptions{})
	must(t, err)
	if want := []string{"LIKES", "KNOWS"}; !slices.Equal(m.Types, want) {
		t.Error(m.Types)
	}
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	for _, c := range []struct {
		direction chunk.Direction
		columns   []string
		want      string
	}{
		{chunk.Out, nil, "[]"},
		{chunk.Out, []string{"weight"}, "[[1.5 0.5 (null)]]"},
		{chunk.In, []string{"weight", TypeColumn}, "[[(null) 1.5 0.5] [(null) 1 0]]"},
		{chunk.Out, []string{TypeColumn, "note", "weight"}, `[[1 0 (null)] ["second" "first" (null)] [1.5 0.5 (null)]]`},
	} {
		read := readChunk(t, s, s.Chunks(c.direction)[0], c.columns)
		columns := []arrow.Array{}
		for _, name := range c.columns {
			column, _ := read.Column(name)
			columns = append(columns, column)
		}
		if got := fmt.Sprint(columns); got != c.want {
			t.Errorf("%s %v: %s, not %s", c.direction, c.columns, got, c.want)
		}
		read.Release()
	}
}

func TestReadChunk_Refuses(t *testing.T) {
	db := testDB(t)
	_, err := db.Load(t.Context(), "g", weighted(), LoadOptions{})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	info := s.Chunks(chunk.In)[0]
	var unknown *UnknownPropertyError
	if _, err := s.ChunkSize(info, []string{"note"}); !errors.As(err, &unknown) {
		t.Error("in-lists carry no text:", err)
	}
	if _, err := s.ReadChunk(t.Context(), info, []string{"note"}, nil); !errors.As(err, &unknown) {
		t.Error(err)
	}
	var buffer *chunk.BufferError
	if _, err := s.ReadChunk(t.Context(), info, nil, chunk.Aligned(64)); !errors.As(err, &buffer) {
		t.Error(err)
	}
}

// Readers see one whole state while a writer replaces the graph.
func TestSnapshot_ReadersDuringWrites(t *testing.T) {
	db := testDB(t)
	load := func(n int) {
		m := edgeModel()
		for i := range n {
			m.edges = append(m.edges, modelEdge{src: "7", dst: fmt.Sprint(i % 5)})
		}
		m.typedFrom = n
		if _, err := db.Load(t.Context(), "g", m, LoadOptions{Replace: true}); err != nil {
			t.Error(err)
		}
	}
	load(1)
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for range 20 {
				s, err := db.Snapshot("g")
				if err != nil {
					t.Error(err)
					return
				}
				if _, edges := drain(t, s.Source(db.mem)); uint64(len(edges)) != s.Manifest().Edges {
					t.Errorf("%d of %d edges", len(edges), s.Manifest().Edges)
				}
				s.Close()
			}
		})
	}
	for i := range 20 {
		load(i)
	}
	readers.Wait()
	must(t, db.CollectGarbage(t.Context()))
	assertNothingUnnamed(t, db)
}

// More types than 16 bits count.
func TestLoad_ManyTypes(t *testing.T) {
	db := testDB(t)
	m := edgeModel()
	for i := range 1<<16 + 10 {
		m.edges = append(m.edges, modelEdge{src: "1", dst: "1", typ: fmt.Sprint("T", i)})
	}
	_, err := db.Load(t.Context(), "g", m, LoadOptions{})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	_, edges := drain(t, s.Source(db.mem))
	if want := fmt.Sprint("1 1 T", 1<<16+9, "[]"); len(edges) != 1<<16+10 || edges[len(edges)-1] != want {
		t.Errorf("%d edges, the last %s, not %s", len(edges), edges[len(edges)-1], want)
	}
}
