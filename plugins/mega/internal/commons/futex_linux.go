package commons

import (
	"syscall"
	"unsafe"
)

// Operations of futex(2), of memory that processes share.
const (
	futexWait = 0
	futexWake = 1
)

// waitWhile waits until somebody wakes who waits for the word, if that has the value still; or for a while.
func waitWhile(word *uint32, value uint32) {
	const while = 100_000_000 // nanoseconds: if a process has died before it woke anybody
	patience := syscall.NsecToTimespec(while)
	_, _, _ = syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWait, uintptr(value),
		uintptr(unsafe.Pointer(&patience)), 0, 0) // whatever it says, the word is looked at again
}

// wake wakes so many of those who wait for a word.
func wake(word *uint32, many uintptr) {
	_, _, _ = syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, many, 0, 0, 0)
}
