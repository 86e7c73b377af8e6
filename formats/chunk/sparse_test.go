package chunk_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// A chunk that is opened before its neighbors are there has all else, and any list once it has been fetched.
func TestOpenSparse_NeighborsComeLater(t *testing.T) {
	chunktest.EachSeed(t, 100, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomCSR(t, r, mem)
		g.columns = slices.DeleteFunc(g.columns, func(c chunk.EdgeColumn) bool {
			width, fixed := c.Values.DataType().(interface{ BitWidth() int })
			return !fixed || width.BitWidth()%8 != 0
		})
		encoded := chunktest.Encode(t, g.chunk(t, mem))
		whole := chunktest.Open(t, encoded)
		buf, furthest := chunk.Aligned(len(encoded)), 0
		fetch := func(from, to int) error {
			copy(buf[from:to], encoded[from:to])
			if to < len(buf) {
				furthest = max(furthest, to)
			}
			return nil
		}
		c, at, err := chunk.OpenSparse(buf, fetch)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Release()
		if furthest > at || c.Meta() != whole.Meta() || c.Stats() != whole.Stats() || len(c.Columns()) > 0 ||
			!slices.Equal(c.Offsets(), whole.Offsets()) || !slices.Equal(c.Vertices(), whole.Vertices()) {
			t.Fatalf("fetched up to %d of neighbors at %d; %+v, %+v", furthest, at, c.Meta(), c.Stats())
		}
		for row := range c.Rows() {
			from, to := int(c.Offsets()[row]), int(c.Offsets()[row+1])
			if err := fetch(at+4*from, at+4*to); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(c.Neighbors()[from:to], whole.Neighbors()[from:to]) {
				t.Fatalf("row %d: %v; expected %v", row, c.Neighbors()[from:to], whole.Neighbors()[from:to])
			}
		}
	})
}

// What cannot be fetched, and a header that is not as it was written, is an error.
func TestOpenSparse_Refuses(t *testing.T) {
	encoded := chunktest.Encode(t, fourVertices(t, chunktest.LeakChecked(t)))
	open := func(fetches int) error {
		buf := chunk.Aligned(len(encoded))
		c, _, err := chunk.OpenSparse(buf, func(from, to int) error {
			if fetches--; fetches < 0 {
				return errors.ErrUnsupported
			}
			copy(buf[from:to], encoded[from:to])
			return nil
		})
		if err == nil {
			c.Release()
		}
		return err
	}
	for n := range 3 {
		if err := open(n); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("fetch %d fails: %v", n, err)
		}
	}
	if err := open(3); err != nil {
		t.Error(err)
	}
	header := 768 // see doc.go
	for at := range encoded {
		if header <= at && at < len(encoded)-64 {
			continue
		}
		encoded[at] ^= 1
		var damaged *chunk.CorruptError
		var version *chunk.VersionError
		if err := open(3); !errors.As(err, &damaged) && !errors.As(err, &version) {
			t.Errorf("byte %d: %v", at, err)
		}
		encoded[at] ^= 1
	}
	if _, _, err := chunk.OpenSparse(nil, nil); err == nil {
		t.Error("nothing is no chunk")
	}
}
