package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// tiny is a Memory that leaves no room for anything but small tables.
const tiny = load.LoadBuffers + load.LeastBatch

// loadWithin loads m into "g", with more memory than options say if that is too little:
// then with as little as the error says.
func loadWithin(t fataler, db *DB, m formats.Source, options load.Options) load.Options {
	t.Helper()
	for options.Replace = true; ; {
		_, err := db.Load(context.Background(), "g", m, options)
		var short *load.MemoryError
		if !errors.As(err, &short) {
			check(t, err)
			return options
		}
		if short.Least <= options.Memory || short.Memory != options.Memory {
			t.Fatalf("with %d: %+v", options.Memory, short)
		}
		options.Memory = short.Least
		if options.Order == manifest.OrderBFS || options.Order == manifest.OrderRabbit {
			options.Memory += 40000 // for the adjacency
		}
	}
}

// What the error calls the least is enough, and a byte less is not.
func TestMemory_Least(t *testing.T) {
	long.Unraced(t)
	db := testDB(t)
	r := testseed.Rand(t)
	for range 10 {
		m := randomModel(r, memory.DefaultAllocator, 100, 3000)
		if r.IntN(2) == 0 {
			m = plainModel(r, 3000, 3000)
		}
		options := loadWithin(t, db, m, load.Options{Memory: 1, ChunkBytes: 1 + r.IntN(1000), Order: manifest.OrderDegree})
		options.Memory--
		var short *load.MemoryError
		if _, err := db.Load(t.Context(), "g", m, options); !errors.As(err, &short) || short.Least != options.Memory+1 {
			t.Errorf("with %d: %v", options.Memory, err)
		}
	}
	_, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}), load.Options{Memory: 1 << 20, Replace: true})
	if err == nil || !strings.HasPrefix(err.Error(), "1.0 MiB of memory are too little: ") ||
		!strings.Contains(err.Error(), "9 MiB") {
		t.Error(err)
	}
}

// manyEdges yields random edges, with weights or without, from batches made anew.
type manyEdges struct {
	schema        formats.Schema
	edges, spread int
}

func (s *manyEdges) Schema() formats.Schema { return s.schema }
func (s *manyEdges) Close() error           { return nil }

func (s *manyEdges) Nodes(context.Context, func(*formats.NodeBatch) error) error { return nil }

func (s *manyEdges) Edges(_ context.Context, yield func(*formats.EdgeBatch) error) error {
	r := rand.New(rand.NewPCG(7, 7))
	b := &formats.EdgeBatch{Where: modelPosition("edges")}
	weights := array.NewFloat64Builder(memory.DefaultAllocator)
	for at := 0; at < s.edges; at += 10_000 {
		b.Src.Reset()
		b.Dst.Reset()
		for range 10_000 {
			b.Src.AppendInt(r.Int64N(int64(s.spread)))
			b.Dst.AppendInt(r.Int64N(int64(s.spread)) / 1000 * 999983) // few, far away
			weights.Append(r.Float64())
		}
		values := weights.NewArray()
		if s.schema.Edge != nil {
			b.Props = array.NewRecord(s.schema.Edge, []arrow.Array{values}, 10_000)
		}
		if err := yield(b); err != nil {
			return err
		}
	}
	return nil
}

// A load keeps to its memory, much less than its edges take: what Go's collector finds in
// use while it runs is measured.
func TestMemory_IsKept(t *testing.T) {
	long.Unraced(t)
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	weight := arrow.NewSchema([]arrow.Field{{Name: "weight", Type: arrow.PrimitiveTypes.Float64, Nullable: true}}, nil)
	for name, src := range map[string]*manyEdges{
		"plain":   {edges: 3_000_000, spread: 100_000, schema: formats.Schema{Vertices: -1, Edges: -1}},
		"weights": {edges: 1_000_000, spread: 100_000, schema: formats.Schema{Vertices: -1, Edges: -1, Edge: weight}},
	} {
		t.Run(name, func(t *testing.T) {
			db := testDB(t)
			_, err := db.Load(t.Context(), "small", edgeModel([2]int{1, 2}), load.Options{})
			must(t, err)
			var short *load.MemoryError
			options := load.Options{Memory: 26 << 20, ChunkBytes: 1 << 18, Order: manifest.OrderDegree}
			for {
				stop := peak()
				_, err := db.Load(t.Context(), "g", src, options)
				held := stop()
				t.Logf("of %d KiB of memory %d were held: %v", options.Memory>>10, held>>10, err)
				if held > options.Memory {
					t.Errorf("%d bytes were held, more than the %d allowed", held, options.Memory)
				}
				if !errors.As(err, &short) {
					must(t, err)
					break
				}
				options.Memory = short.Least
			}
			must(t, db.Verify(t.Context(), "g"))
		})
	}
}

// inUse is what the last collection found in use.
func inUse() int64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return int64(live[0].Value.Uint64())
}

// peak watches inUse until it is stopped, and then is by how much it grew at the most.
func peak() (stop func() int64) {
	runtime.GC()
	base := inUse()
	done, most := make(chan struct{}), make(chan int64)
	go func() {
		all := base
		for {
			select {
			case <-done:
				most <- all - base
				return
			case <-time.After(time.Millisecond):
				all = max(all, inUse())
			}
		}
	}()
	return func() int64 { close(done); return <-most }
}
