package execute_test

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/query/execute"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

func liveHeap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// atFirstRow runs a statement up to its first row, and tells how much more is on the heap then,
// how much of the account is taken, and the most that ever was.
func (w *world) atFirstRow(text string) (heap, held, peak int64) {
	w.t.Helper()
	enough := errors.New("enough")
	err := w.with(store.ReadAccess, text, func(tx *store.Tx, p *plan.Plan) error {
		account := w.pool.Open()
		defer account.Close()
		before := liveHeap()
		_, err := execute.Run(memory.With(w.t.Context(), account), p, tx, nil, w.limits,
			func(row []value.Value, _ int64) error {
				heap, held = liveHeap()-before, account.Held()
				runtime.KeepAlive(row)
				return enough
			})
		return err
	})
	if !errors.Is(err, enough) {
		w.t.Fatalf("%s: %v", text, err)
	}
	peak, _ = w.pool.ResetPeak()
	return heap, held, peak
}

// What a statement has on the heap is what its account has taken, with a quarter of tolerance for
// what is estimated and for how the allocator rounds.
func TestMemoryIsAccountedFor(t *testing.T) {
	w := newWorld(t)
	w.run("UNWIND range(1, 20000) AS i CREATE (:A {n: i, name: 'somebody whose name is long ' + toString(i)})")
	const rows = "UNWIND range(1, 200000) AS i "
	for _, text := range []string{
		rows + "RETURN collect(i)",
		rows + "RETURN collect(toString(i) + ' is a number')",
		rows + "RETURN collect({a: i, b: 'x', c: [i, i]})",
		rows + "RETURN collect(DISTINCT i % 150000)",
		rows + "WITH i % 100000 AS k, count(*) AS c, min(toString(i)) AS m RETURN k, c, m",
		rows + "WITH i % 1000 AS k, collect(i) AS l RETURN k, size(l)",
		rows + "WITH i ORDER BY i DESC RETURN i",
		rows + "WITH i, toString(i) + ' text' AS s ORDER BY s RETURN i",
		rows + "WITH DISTINCT i WITH collect(i) AS l RETURN size(l)",
		"WITH [x IN range(1, 300000) | x + 1] AS l UNWIND l AS x RETURN x",
		"WITH [x IN range(1, 100000) | {a: toString(x)}] AS l UNWIND l AS x RETURN x",
		"WITH range(1, 300000) AS l UNWIND l + l AS x RETURN x",
		"MATCH (a:A) RETURN collect(a)",
		"MATCH (a:A) RETURN collect(a.name)",
		"MATCH (a:A), (b:A) WHERE a.n = b.n AND a.name < b.name + 'z' RETURN a, b",
		"MATCH (a:A) WITH collect(a {.*}) AS l RETURN size(l)",
		"RETURN reduce(s = [], i IN range(1, 2000) | s + range(1, 10)) AS r",
	} {
		heap, held, peak := w.atFirstRow(text)
		t.Logf("heap %8d held %8d peak %8d %s", heap, held, peak, text)
		const tolerance = 512 << 10 // of the program
		if heap > held+held/4+tolerance {
			t.Errorf("%s: %d bytes are on the heap, but only %d are accounted for", text, heap, held)
		}
	}
	if left := w.pool.Held(); left != 0 {
		t.Errorf("%d bytes are left", left)
	}
}

// A statement that finds no memory fails by a fault upon which clients try again, not by one of
// its own limit, and what can go on in files does.
func TestMemoryOfOthers(t *testing.T) {
	w := newWorld(t)
	w.limits.TempDir = t.TempDir()
	w.pool = memory.NewPool(4<<20, time.Millisecond)
	other := w.pool.Open()
	if err := other.Take(t.Context(), 2<<20); err != nil {
		t.Fatal(err)
	}
	const rows = "UNWIND range(1, 100000) AS i "
	_, _, err := w.try(t.Context(), rows+"RETURN size(collect(i))")
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.MemoryPool {
		t.Errorf("error %v", err)
	}
	for text, want := range map[string]int{
		rows + "WITH i ORDER BY i DESC RETURN i":                    100000,
		rows + "WITH i % 50000 AS k, count(*) AS c RETURN k, c":     50000,
		rows + "WITH i, toString(i) AS s ORDER BY s RETURN i, s":    100000,
		rows + "WITH toString(i) AS s, min(i) AS least RETURN s":    100000,
		rows + "WITH i % 7 AS k, count(*) AS c ORDER BY c RETURN k": 7,
	} {
		got, _, err := w.try(t.Context(), text)
		if err != nil || len(got) != want {
			t.Errorf("%s: %d rows: %v", text, len(got), err)
		}
	}
	other.Close()
	if _, _, err := w.try(t.Context(), "UNWIND range(1, 50000) AS i RETURN size(collect(i))"); err != nil {
		t.Error("alone: ", err)
	}
}
