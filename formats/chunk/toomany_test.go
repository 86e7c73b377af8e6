//go:build unix

package chunk_test

import (
	"errors"
	"math"
	"testing"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/formats/chunk"
)

// 2^31 neighbors as 8 GiB of addresses without memory behind them: they must be refused unread.
func TestFromCSR_TooManyEdges(t *testing.T) {
	const edges = math.MaxInt32 + 1
	reserved, err := unix.Mmap(-1, 0, 4*edges, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		t.Skipf("cannot reserve 8 GiB of addresses: %v", err)
	}
	defer unix.Munmap(reserved)
	neighbors := unsafe.Slice((*uint32)(unsafe.Pointer(&reserved[0])), edges)
	var tooMany *chunk.TooManyEdgesError
	_, err = chunk.FromCSR(memory.DefaultAllocator, chunk.Meta{Rows: interval(1)}, nil, []int32{0, math.MinInt32},
		neighbors, nil)
	if !errors.As(err, &tooMany) || tooMany.Edges != edges {
		t.Errorf("%v; expected a TooManyEdgesError", err)
	}
}
