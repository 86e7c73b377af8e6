//go:build !linux

package commons

import (
	"sync/atomic"
	"time"
)

// waitWhile waits a little, if the word has the value still: nobody is told when it changes.
func waitWhile(word *uint32, value uint32) {
	if atomic.LoadUint32(word) == value {
		time.Sleep(100 * time.Microsecond)
	}
}

// wake does nothing: who waits looks by itself.
func wake(*uint32, uintptr) {}
