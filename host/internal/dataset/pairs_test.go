package dataset

import (
	"cmp"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// TestExamples_Sort: examples come to be in the order of their vertices, and of the same vertices in that of values;
// those that are in order take no memory for it.
func TestExamples_Sort(t *testing.T) {
	r := testseed.Rand(t)
	type example struct {
		pair  Pair
		value float32
	}
	for range 200 {
		var e Examples
		var want []example
		for range r.IntN(40) {
			x := example{Pair{uint32(r.IntN(5)), uint32(r.IntN(5))}, float32(r.IntN(4))}
			want, e.Pairs, e.Wanted = append(want, x), append(e.Pairs, x.pair), append(e.Wanted, x.value)
		}
		slices.SortFunc(want, func(a, b example) int {
			return cmp.Or(cmp.Compare(a.pair.Source, b.pair.Source), cmp.Compare(a.pair.Target, b.pair.Target),
				cmp.Compare(a.value, b.value))
		})
		e.sort()
		for i, x := range want {
			if e.Pairs[i] != x.pair || e.Wanted[i] != x.value {
				t.Fatalf("example %d of %d is %v, %v; want %v", i, len(want), e.Pairs[i], e.Wanted[i], x)
			}
		}
		if n := testing.AllocsPerRun(1, e.sort); n > 0 {
			t.Errorf("to sort %d examples that are sorted allocates %v times", len(want), n)
		}
	}
}

// TestExamples_Of: the examples of each part, and how many they are, whether that is all of them or some.
func TestExamples_Of(t *testing.T) {
	r := testseed.Rand(t)
	for range 100 {
		var e Examples
		parts := 1 + r.IntN(3)
		for i := range r.IntN(20) {
			e.Pairs, e.Wanted = append(e.Pairs, Pair{uint32(i), 0}), append(e.Wanted, float32(i))
			e.Parts = append(e.Parts, Part(r.IntN(parts)))
		}
		for part := range Part(3) {
			of, n := e.Of(part), 0
			for i, p := range e.Parts {
				if p != part {
					continue
				}
				if n >= len(of.Pairs) || of.Pairs[n] != e.Pairs[i] || of.Wanted[n] != e.Wanted[i] {
					t.Fatalf("part %d is %v of %v", part, of, e)
				}
				n++
			}
			if len(of.Pairs) != n || len(of.Wanted) != n || e.Many(part) != n {
				t.Errorf("part %d has %d examples, not %d of %v", part, len(of.Pairs), n, e)
			}
		}
	}
}
