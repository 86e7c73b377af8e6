package numa

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// Stay keeps the goroutine that calls it on these processors until it ends, if the system
// lets it. Its thread ends with it.
func Stay(processors []int) {
	runtime.LockOSThread()
	var set unix.CPUSet
	for _, p := range processors {
		set.Set(p)
	}
	_ = unix.SchedSetaffinity(0, &set) // elsewhere it is but slower
}
