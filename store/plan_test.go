package store

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
		spans := plan(degrees, edgeBytes, limit)
		next := uint64(0)
		for _, s := range spans {
			if s.rows.Base != next || s.rows.Count == 0 {
				t.Fatalf("%+v does not follow %d", s, next)
			}
			next = s.rows.End()
			edges, present := uint64(0), uint64(0)
			for _, d := range degrees[s.rows.Base:next] {
				edges += uint64(d)
				present += uint64(min(d, 1))
			}
			if edges != s.edges || present != s.present {
				t.Fatalf("%+v holds %d edges in %d lists", s, edges, present)
			}
			if s.body(edgeBytes) > limit && present > 1 {
				t.Fatalf("%+v takes %d bytes", s, s.body(edgeBytes))
			}
		}
		if next != uint64(len(degrees)) {
			t.Fatalf("%d of %d rows", next, len(degrees))
		}
		checkPack(t, spans, rapid.Uint64Range(1, 200).Draw(t, "bucket"))
	})
}

func checkPack(t *rapid.T, spans []span, limit uint64) {
	at := 0
	for _, b := range pack(spans, limit) {
		edges := uint64(0)
		for _, s := range b.spans {
			if s != spans[at] {
				t.Fatalf("span %d is out of order", at)
			}
			edges += s.edges
			at++
		}
		if edges != b.edges || edges > limit && len(b.spans) > 1 {
			t.Fatalf("bucket of %d edges holds %d in %d spans", b.edges, edges, len(b.spans))
		}
	}
	if at != len(spans) {
		t.Fatalf("%d of %d spans", at, len(spans))
	}
}
