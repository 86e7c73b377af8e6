package intervals

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// leaveCache has the system give up what it caches of a file, and read no more of it than it is asked for from now on:
// systems that read megabytes ahead push out more than they bring, the program among it.
func leaveCache(f *os.File) error {
	if err := f.Sync(); err != nil { // what is not on the disk is not given up
		return fmt.Errorf("cells: %w", err)
	}
	_ = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_RANDOM) // it is but advice
	forget(f, 0, 0)
	return nil
}

// forget has the system give up what it caches of a part of a file; length 0: to its end.
func forget(f *os.File, at, length uint64) {
	_ = unix.Fadvise(int(f.Fd()), int64(at), int64(length), unix.FADV_DONTNEED) // it is but advice
}
