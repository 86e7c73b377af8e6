package chunk_test

import (
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

func TestLists(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	meta := chunk.Meta{Rows: chunk.Interval{Base: 10, Count: 5}, Cols: chunk.Interval{Count: 20}}
	all := chunktest.FromCSR(t, mem, meta, nil, []int32{0, 2, 2, 3, 3, 3}, []uint32{7, 19, 0})
	some := chunktest.FromCSR(t, mem, meta, []uint32{1, 4}, []int32{0, 2, 3}, []uint32{7, 19, 0})
	for _, c := range []struct {
		chunk *chunk.Chunk
		want  string
	}{{all, "10 [7 19] 11 [] 12 [0] 13 [] 14 [] "}, {some, "11 [7 19] 14 [0] "}} {
		got := ""
		for v, list := range c.chunk.Lists() {
			got += fmt.Sprint(v, " ", list, " ")
		}
		if got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
	for v := range all.Lists() { // may be left
		if v == 12 {
			break
		}
	}
}
