package pages

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// percentAfterCycles is the collector's percentage, once it is what is wanted or cycles have not changed it for long.
func percentAfterCycles(want func(percent int) bool) (percent int) {
	for range 200 {
		runtime.GC()
		percent = debug.SetGCPercent(100)
		debug.SetGCPercent(percent)
		if want(percent) {
			return percent
		}
		time.Sleep(5 * time.Millisecond) // the finalizer runs in a goroutine of its own
	}
	return percent
}

// TestBoundGarbage: beside a heap of 64 MiB, 4 MiB are 6 percent of it; once it is gone, the collector waits longer
// again. What the program sets itself then stays.
func TestBoundGarbage(t *testing.T) {
	t.Setenv("GOGC", "")
	check(t, os.Unsetenv("GOGC"))
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	heap := make([]byte, 64<<20)
	BoundGarbage(4 << 20)
	if percent := percentAfterCycles(func(p int) bool { return p < 8 }); percent < 4 || percent > 7 {
		t.Errorf("beside 64 MiB, garbage may be %d percent of them; expected 6", percent)
	}
	runtime.KeepAlive(heap)
	if percent := percentAfterCycles(func(p int) bool { return p > 20 }); percent <= 20 {
		t.Errorf("of a small heap, garbage may be %d percent; expected more", percent)
	}
	debug.SetGCPercent(50)
	if percent := percentAfterCycles(func(p int) bool { return p != 50 }); percent != 50 {
		t.Errorf("the program's own 50 percent have become %d", percent)
	}
}

// A user's GOGC stays.
func TestBoundGarbage_GOGC(t *testing.T) {
	t.Setenv("GOGC", "100")
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	heap := make([]byte, 64<<20)
	BoundGarbage(4 << 20)
	for range 5 {
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
	}
	runtime.KeepAlive(heap)
	if percent := debug.SetGCPercent(100); percent != 100 {
		t.Errorf("GOGC=100 has become %d", percent)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
