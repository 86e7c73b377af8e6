package sorting

import (
	"testing"

	"pgregory.net/rapid"
)

// Spans cover the rows without a gap, hold what the degrees say, and are larger than
// asked for only where one list is; buckets hold the spans in order.
func TestPlan_CoversAllRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		degrees := rapid.SliceOf(rapid.OneOf(rapid.Just(uint32(0)), rapid.Uint32Range(0, 50))).Draw(t, "degrees")
		edgeBytes := rapid.Uint64Range(4, 100).Draw(t, "edge bytes")
		limit := rapid.Uint64Range(1, 3000).Draw(t, "chunk bytes")
		spans := Plan(degrees, edgeBytes, limit)
		next := uint64(0)
		for _, s := range spans {
			if s.Rows.Base != next || s.Rows.Count == 0 {
				t.Fatalf("%+v does not follow %d", s, next)
			}
			next = s.Rows.End()
			edges, present := uint64(0), uint64(0)
			for _, d := range degrees[s.Rows.Base:next] {
				edges += uint64(d)
				present += uint64(min(d, 1))
			}
			if edges != s.Edges || present != s.Present {
				t.Fatalf("%+v holds %d edges in %d lists", s, edges, present)
			}
			if s.Body(edgeBytes) > limit && present > 1 {
				t.Fatalf("%+v takes %d bytes", s, s.Body(edgeBytes))
			}
		}
		if next != uint64(len(degrees)) {
			t.Fatalf("%d of %d rows", next, len(degrees))
		}
		checkPack(t, spans, rapid.Uint64Range(1, 200).Draw(t, "bucket"))
	})
}

func checkPack(t *rapid.T, spans []Span, limit uint64) {
	at := 0
	for _, b := range pack(spans, limit) {
		edges := uint64(0)
		for _, s := range b.Spans {
			if s != spans[at] {
				t.Fatalf("span %d is out of order", at)
			}
			edges += s.Edges
			at++
		}
		if edges != b.Edges || edges > limit && len(b.Spans) > 1 {
			t.Fatalf("bucket of %d edges holds %d in %d spans", b.Edges, edges, len(b.Spans))
		}
	}
	if at != len(spans) {
		t.Fatalf("%d of %d spans", at, len(spans))
	}
}
