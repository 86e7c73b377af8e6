package serve

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A server is idle when it allocates less than idleBytes in idleTime.
const (
	idleTime  = 5 * time.Second
	idleBytes = 1 << 20
)

// returnMemory gives the system back what a server took under load, whenever it becomes idle, until
// ctx ends. Go itself keeps freed memory until its next collections, minutes later when nothing allocates.
func returnMemory(ctx context.Context) {
	tick := time.NewTicker(idleTime)
	defer tick.Stop()
	for before, worked := allocatedBytes(), true; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		idle := allocatedBytes()-before < idleBytes
		if idle && worked {
			debug.FreeOSMemory()
		}
		before, worked = allocatedBytes(), !idle
	}
}

// allocatedBytes is what this process has allocated since it began.
func allocatedBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
