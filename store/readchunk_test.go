package store

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/tree"
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
	m, err := db.Load(t.Context(), "g", weighted(), load.Options{})
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
		{chunk.In, []string{"weight", manifest.TypeColumn}, "[[(null) 1.5 0.5] [(null) 1 0]]"},
		{chunk.Out, []string{manifest.TypeColumn, "note", "weight"},
			`[[1 0 (null)] ["second" "first" (null)] [1.5 0.5 (null)]]`},
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
	_, err := db.Load(t.Context(), "g", weighted(), load.Options{})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	info := s.Chunks(chunk.In)[0]
	var unknown *failure.UnknownPropertyError
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
		if _, err := db.Load(t.Context(), "g", m, load.Options{Replace: true}); err != nil {
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
	_, err := db.Load(t.Context(), "g", m, load.Options{})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	_, edges := drain(t, s.Source(db.mem))
	if want := fmt.Sprint("1 1 T", 1<<16+9, "[]"); len(edges) != 1<<16+10 || edges[len(edges)-1] != want {
		t.Errorf("%d edges, the last %s, not %s", len(edges), edges[len(edges)-1], want)
	}
}

// Past the cache, a chunk is read and checked as through it.
func TestReadChunkUncached(t *testing.T) {
	db := testDB(t)
	m := weighted()
	for i := range 100_000 { // a chunk of more than a block
		m.edges = append(m.edges, modelEdge{"1", fmt.Sprint(i % 3), "KNOWS", []string{fmt.Sprint("n", i), "2"}})
	}
	_, err := db.Load(t.Context(), "g", m, load.Options{})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	for _, d := range []chunk.Direction{chunk.Out, chunk.In} {
		for _, info := range s.Chunks(d) {
			all := []string{}
			for _, c := range info.Columns {
				all = append(all, c.Name)
			}
			for _, columns := range [][]string{nil, {"weight"}, all, reversed(all)} {
				size, err := s.ChunkSize(info, columns)
				must(t, err)
				want := chunk.Aligned(size)
				n, err := s.ReadChunk(t.Context(), info, columns, want)
				must(t, err)
				for _, room := range []int{0, snapshot.UncachedRoom} {
					got := chunk.Aligned(max(size, int(info.Bytes)) + room)
					if k, _, err := s.ReadChunkUncached(t.Context(), info, columns, got); err != nil ||
						!bytes.Equal(got[:k], want[:n]) {
						t.Errorf("%s %v: %d bytes, %v; through the cache %d", d, columns, k, err, n)
					}
				}
			}
		}
	}
}

// Whatever bit flips on disk, both ways of reading tell the same.
func TestReadChunkUncached_FlippedBits(t *testing.T) {
	db := testDB(t)
	m := weighted()
	for range 20_000 {
		m.edges = append(m.edges, modelEdge{"1", "3", "KNOWS", []string{"", "2"}})
	}
	_, err := db.Load(t.Context(), "g", m, load.Options{})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	logs, err := filepath.Glob(filepath.Join(db.dir, directory.DataDir, "*.vlog"))
	must(t, err)
	info := s.Chunks(chunk.Out)[0]
	dst, damaged := chunk.Aligned(int(info.Bytes)), 0
	columns := []string{}
	for _, c := range info.Columns {
		columns = append(columns, c.Name)
	}
	for i := range 60 {
		at := tree.VlogHeader + i*int(info.Bytes)/60
		flipAt(t, logs[0], at)
		_, cached := s.ReadChunk(t.Context(), info, columns, dst)
		_, _, uncached := s.ReadChunkUncached(t.Context(), info, columns, dst)
		var damage *failure.DamagedError
		if (cached == nil) != (uncached == nil) || uncached != nil && !errors.As(uncached, &damage) {
			t.Errorf("bit %d of byte %d flipped: %v, and past the cache %v", at%8, at, cached, uncached)
		}
		if uncached != nil {
			damaged++
		}
		flipAt(t, logs[0], at)
	}
	if damaged == 0 {
		t.Error("no flipped bit hit the chunk")
	}
}

func reversed(s []string) []string {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}
