package sourcetest

import (
	"runtime"
	"testing"
)

// FuzzMemory is formats.Options.Memory of what a fuzzer reads.
const FuzzMemory = 16 << 20

// Of any input a reader may allocate so much while it reads some rows, in all: its buffers,
// and what the tests around it take, and so many bytes for each byte of the input.
const allocatedAlways, allocatedPerByte = 48 << 20, 1000

// CheckAllocated fails when read, which reads an input of so many bytes, allocates more than
// its size justifies, whatever numbers stand in it.
func CheckAllocated(t *testing.T, size int, read func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read()
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > allocatedAlways+allocatedPerByte*uint64(size) {
		t.Errorf("%d bytes were allocated for an input of %d bytes", n, size)
	}
}
