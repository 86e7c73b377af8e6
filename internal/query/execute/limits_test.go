package execute_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/query/execute"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Sorting and grouping give the same with little memory as with much, and leave no files.
func TestSortingAndGroupingSpill(t *testing.T) {
	rnd, w := testseed.Rand(t), newWorld(t)
	w.fill(rnd, 20, 30)
	dir := t.TempDir()
	rows := fmt.Sprintf(
		"UNWIND range(1, 60) AS i UNWIND range(1, 50) AS j WITH 50 * i + j AS i WITH i, (i * %d) %% 997 AS k MATCH (a {n: k %% 20}) ", 1+rnd.IntN(900))
	for _, statement := range []string{
		rows + "RETURN k, i, a ORDER BY k DESC",
		rows + "RETURN k, i ORDER BY k, i SKIP 100 LIMIT 1500",
		rows + "WITH k, count(*) AS c, sum(i) AS s, min(i) AS least, collect(a)[0] AS a RETURN k, c, s, least, a",
		rows + "WITH a, k % 300 AS k, count(DISTINCT i % 2) AS c, percentileDisc(i, 0.5) AS p RETURN k, c, p, a.n, [a, {a: a}]",
		rows + "WITH i, k, a SET a.x = a.x WITH i, a MATCH (a)-->(b) RETURN i, a, b",
		rows + "MATCH p = (a)-->() RETURN k, i, p, [p] ORDER BY k, length(p)",
	} {
		w.limits = execute.Limits{}
		want := w.run(statement)
		w.limits = execute.Limits{Memory: 40 << 10, TempDir: dir}
		got := w.run(statement)
		if !strings.Contains(statement, "ORDER") {
			got, want = sorted(got), sorted(want)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d rows with little memory are not the %d with much", statement, len(got), len(want))
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("files are left: %v %v", left, err)
	}
}

// What can't spill says what needs the memory, and how to go on.
func TestMemoryLimitNamesWhatNeedsIt(t *testing.T) {
	w := newWorld(t)
	w.limits.Memory = 20 << 10
	for statement, what := range map[string]string{
		"UNWIND range(1, 700) AS i RETURN DISTINCT i":      "DISTINCT",
		"UNWIND range(1, 700) AS i RETURN collect([i, i])": "an aggregate",
	} {
		_, _, err := w.try(t.Context(), statement)
		var f *fault.Error
		if !errors.As(err, &f) || f.Kind != fault.MemoryLimit || !strings.Contains(f.Message, what) ||
			!strings.Contains(f.Message, "20 KiB") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// A statement of one line can't make values that nothing can walk through.
func TestValuesAreBounded(t *testing.T) {
	w := newWorld(t)
	w.limits.Memory = 10 << 20
	for _, statement := range []string{
		"RETURN reduce(s = 'ab', i IN range(1, 60) | s + s)", "RETURN reduce(s = [1], i IN range(1, 60) | s + s)",
		"RETURN reduce(s = [1], i IN range(1, 60) | [s, s])",
		"RETURN reduce(s = {a: 1}, i IN range(1, 60) | {a: s, b: s})",
		"RETURN reduce(s = {a: 1}, i IN range(1, 60) | s {.*, b: s, c: s})",
		"RETURN reduce(s = 1, i IN range(1, 60) | [x IN [1, 2] | s])",
		"RETURN size(toString(reduce(s = 1, i IN range(1, 1000) | [s])))",
		"RETURN reduce(s = range(1, 10000), i IN range(1, 1000) | [s])",
		"RETURN reduce(s = 1, i IN range(1, 1000) | [x IN [s] | x])",
		"RETURN replace(reduce(s = 'a', i IN range(1, 15) | s + s), 'a', reduce(s = 'a', i IN range(1, 15) | s + s))",
	} {
		_, _, err := w.try(t.Context(), statement)
		if f := new(fault.Error); !errors.As(err, &f) || f.Kind != fault.MemoryLimit {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// A statement ends soon after its context does.
func TestStatementsEndWithTheirContext(t *testing.T) {
	w := newWorld(t)
	endless := "UNWIND range(1, 10000) AS a UNWIND range(1, 10000) AS b UNWIND range(1, 10000) AS c RETURN count(*)"
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, _, err := w.try(ctx, endless)
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.TimeLimit {
		t.Errorf("after its time: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if _, _, err := w.try(ctx, endless); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// PROFILE counts the rows of each operator.
func TestProfileCountsRows(t *testing.T) {
	w := newWorld(t)
	_, counters, err := w.try(t.Context(), "PROFILE UNWIND range(1, 10) AS i WITH i WHERE i > 7 RETURN i")
	if err != nil {
		t.Fatal(err)
	}
	var rows []int64
	for _, o := range counters.Operators {
		rows = append(rows, o.Rows)
	}
	slices.Sort(rows)
	if want := []int64{1, 3, 3, 10}; !slices.Equal(rows, want) {
		t.Errorf("rows %v, not %v", rows, want)
	}
}
