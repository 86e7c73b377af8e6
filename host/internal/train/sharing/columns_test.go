package sharing

import (
	"testing"

	"github.com/penstock-db/penstock/host/internal/train/streaming"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Intervals follow each other, begin and end at sections, and have about the same to do, however uneven degrees are:
// none has more than its part and the largest section.
func TestColumns(t *testing.T) {
	r := testseed.Rand(t)
	for range 200 {
		degrees := make([]int64, r.IntN(6000))
		edges := int64(0)
		for v := range degrees {
			if degrees[v] = r.Int64N(20); v < len(degrees)/8 {
				degrees[v] *= 40 // edges by edges, not vertices by vertices
			}
			edges += degrees[v]
		}
		vertex := max(1, edges/max(int64(len(degrees)), 1))
		work := func(from, to uint64) (sum int64) {
			for _, d := range degrees[from:to] {
				sum += vertex + d
			}
			return sum
		}
		n := 1 + r.IntN(5)
		l := NewLayout(streaming.NewDegrees(degrees, degrees), n, true)
		bounds, columns := l.bounds[0], l.Columns[0]
		if want := min(n, len(bounds)-1); len(columns) != want {
			t.Fatalf("%d intervals of %d sections for %d devices", len(columns), len(bounds)-1, n)
		}
		largest, at := int64(0), uint64(0)
		for k := range len(bounds) - 1 {
			largest = max(largest, work(bounds[k], bounds[k+1]))
		}
		for i, of := range columns {
			sections := l.sections(0, i)
			if of.Base != at || of.Count == 0 || sections[0] != of.Base || sections[len(sections)-1] != of.End() {
				t.Fatalf("interval %d is %+v, of sections %v", i, of, sections)
			}
			if at = of.End(); work(of.Base, of.End()) > work(0, uint64(len(degrees)))/int64(len(columns))+largest {
				t.Errorf("interval %d of %d has work %d of %d; the largest section has %d", i, len(columns),
					work(of.Base, of.End()), work(0, uint64(len(degrees))), largest)
			}
		}
		if at != uint64(len(degrees)) {
			t.Fatalf("intervals end at %d of %d", at, len(degrees))
		}
	}
}
