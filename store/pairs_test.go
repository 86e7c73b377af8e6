package store

import (
	"bytes"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/sorting"
	"pgregory.net/rapid"
)

// plainModel draws edges that have neither type nor property, between integers that are
// near 0, scattered, or both, and a few strings.
func plainModel(r *rand.Rand, vertices, edges int) *model {
	m := &model{mem: memory.DefaultAllocator, batch: 1 + r.IntN(edges+1), typedFrom: math.MaxInt}
	m.schema = formats.Schema{Orientation: formats.Orientation(r.IntN(3)), Vertices: -1, Edges: -1}
	far, text := r.Float64()*float64(r.IntN(2)), 0.1*float64(r.IntN(2))
	ids := make([]string, vertices)
	for i := range ids {
		switch x := r.Float64(); {
		case x < far:
			ids[i] = strconv.FormatInt(r.Int64(), 10)
		case x < far+text:
			ids[i] = "v" + strconv.Itoa(i)
		default:
			ids[i] = strconv.Itoa(r.IntN(3 * vertices))
		}
	}
	for range edges {
		skewed := ids[int(float64(len(ids))*r.Float64()*r.Float64())]
		m.edges = append(m.edges, modelEdge{src: skewed, dst: ids[r.IntN(len(ids))]})
	}
	return m
}

// Edges of nothing but their ends become the same bytes however many processors and
// however little memory there are, and lists that are what the edges say.
func TestPairs_SameBytes(t *testing.T) {
	long.Unraced(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	r := testseed.Rand(t)
	for range 12 {
		m := plainModel(r, 1+r.IntN(200), r.IntN(2000))
		options := load.Options{ChunkBytes: 1 + r.IntN(2000),
			Order: []manifest.Order{manifest.OrderNone, manifest.OrderDegree}[r.IntN(2)]}
		want := loadedBytes(t, m, options)
		for _, options.Memory = range []int64{tiny, tiny + r.Int64N(1<<16)} {
			m.batch = 1 + r.IntN(500)
			runtime.GOMAXPROCS(1 + r.IntN(4))
			if got := loadedBytes(t, m, options); !maps.EqualFunc(want, got, bytes.Equal) {
				t.Fatalf("memory %d makes other chunks or columns", options.Memory)
			}
		}
	}
}

// loadedBytes is all chunks and columns of m in a database of its own, by key.
func loadedBytes(t testing.TB, m *model, options load.Options) map[string][]byte {
	options = loadWithin(t, testDB(t), m, options)
	db := testDB(t) // in which this is the first generation
	loadWithin(t, db, m, options)
	s, err := db.Snapshot("g")
	check(t, err)
	defer s.Close()
	for _, d := range []chunk.Direction{chunk.Out, chunk.In} {
		if want, got := wantLists(m, s, d), readLists(t, s, d); !slices.EqualFunc(want, got, slices.Equal) {
			t.Fatalf("%s-lists:\nwant %v\ngot  %v", d, want, got)
		}
	}
	pieces := map[string][]byte{}
	check(t, db.badger.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte{layout.DataPrefix}})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			value, err := it.Item().ValueCopy(nil)
			check(t, err)
			pieces[string(it.Item().Key())] = value
		}
		return nil
	}))
	return pieces
}

// A splitter hands on every entry once, to the run of its row, in order.
func TestSplitter_PartsByRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.Uint64Range(1, 1<<rapid.IntRange(0, 20).Draw(t, "bits")), 1, 50).Draw(t, "rows")
		first := rapid.Uint64Range(0, 1000).Draw(t, "first")
		ends, end := make([]uint64, len(counts)), first
		for i, n := range counts {
			end += n
			ends[i] = end
		}
		row := rapid.OneOf(rapid.Uint64Range(first, end-1),
			rapid.Map(rapid.SampledFrom(ends), func(e uint64) uint64 { return e - 1 }))
		keys := rapid.SliceOf(rapid.Map(row, func(r uint64) uint64 { return r<<32 | r*7%13 })).Draw(t, "keys")
		want := make([][]uint64, len(ends))
		for _, key := range keys {
			run, _ := slices.BinarySearch(ends, key>>32+1)
			want[run] = append(want[run], key)
		}
		got := make([][]uint64, len(ends))
		check(t, sorting.NewRunTable(first, ends).Splitter().Split(sorting.Entries{Keys: keys},
			func(run int, part sorting.Entries) error {
				got[run] = append(got[run], part.Keys...)
				return nil
			}))
		if !slices.EqualFunc(want, got, slices.Equal) {
			t.Fatalf("runs to %v of %v: %v", ends, keys, got)
		}
	})
}

// Edges with types and properties, some of them equal, become the same bytes whether all
// processors sort them in memory or one by way of files.
func TestRecords_SameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rounds := 3
	if long.Tests() {
		rounds = 12
	}
	r := testseed.Rand(t)
	for range rounds {
		m := plainModel(r, 1+r.IntN(100), r.IntN(2000))
		m.schema.Edge = randomSchema(r)
		m.typedFrom = r.IntN(len(m.edges)+1) * r.IntN(2)
		for i := range m.edges {
			m.edges[i].typ, m.edges[i].props = []string{"", "a", "b"}[r.IntN(3)], randomProps(r, m.schema.Edge)
		}
		options := load.Options{ChunkBytes: 1 + r.IntN(5000),
			Order: []manifest.Order{manifest.OrderNone, manifest.OrderDegree}[r.IntN(2)]}
		want := loadedBytes(t, m, options)
		for _, options.Memory = range []int64{0, tiny, 1 << 30} {
			runtime.GOMAXPROCS(1 + r.IntN(4))
			if got := loadedBytes(t, m, options); !maps.EqualFunc(want, got, bytes.Equal) {
				t.Fatalf("memory %d makes other chunks or columns", options.Memory)
			}
		}
	}
}
