package numa

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// stay keeps the thread, which ends with the goroutine.
func stay(processors []int) {
	runtime.LockOSThread()
	var set unix.CPUSet
	for _, p := range processors {
		set.Set(p)
	}
	_ = unix.SchedSetaffinity(0, &set) // elsewhere it is but slower
}
