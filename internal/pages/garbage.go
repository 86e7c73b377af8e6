package pages

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// leastPercent keeps the collector from working all the time beside a heap that is large.
const leastPercent = 1

// BoundGarbage has the collector begin a cycle as soon as about so many bytes have been allocated since the last one.
// By default it waits until the heap has doubled: beside columns that fill a budget that is another budget. A heap of
// numbers, which it need not look into, takes it next to nothing. Only a main function may call it, or what serves as
// one. A user's GOGC stays in force, and so does what the program itself has set.
func BoundGarbage(bytes uint64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	const byDefault = 100
	if set := debug.SetGCPercent(byDefault); set != byDefault {
		debug.SetGCPercent(set)
		return
	}
	followCycles(&bound{bytes: bytes, percent: byDefault})
}

// bound is what the garbage is held to.
type bound struct {
	bytes   uint64
	percent int // as it was set last
}

// adapt sets the collector's percentage to what the bound is of the heap that the last cycle has found alive. It tells
// whether the bound is in force still.
func (b *bound) adapt() bool {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	percent := max(leastPercent, min(100, int(100*b.bytes/max(1, live[0].Value.Uint64()))))
	if set := debug.SetGCPercent(percent); set != b.percent {
		debug.SetGCPercent(set) // the program has decided otherwise since
		return false
	}
	b.percent = percent
	return true
}

// cycle is what the collector finds dead in each of its cycles.
type cycle struct{ *bound }

// followCycles adapts the bound after each cycle: a finalizer of what is dead runs then.
func followCycles(b *bound) {
	runtime.SetFinalizer(&cycle{b}, func(c *cycle) {
		if c.adapt() {
			followCycles(c.bound)
		}
	})
}

// BoundHeap has the collector keep what the program allocates within half of the memory, or of its control group's: the
// rest is for what it maps and shares. Only a main function may call it, or what serves as one. A user's GOMEMLIMIT
// stays in force.
func BoundHeap() {
	have, err := Physical()
	if err == nil && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(have / 2))
	}
}
