//go:build unix

package faulty

import (
	"time"

	"golang.org/x/sys/unix"
)

// taken is memory that nothing gives back.
var taken [][]byte

// takeMemory takes 4 GiB, piece by piece, and touches each page of them. It ends sooner where the system has no more.
func takeMemory() {
	const piece = 16 << 20
	for range 4 << 30 / piece {
		bytes, err := unix.Mmap(-1, 0, piece, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			return
		}
		for i := 0; i < piece; i += 4096 {
			bytes[i] = 1
		}
		taken = append(taken, bytes)
		time.Sleep(time.Millisecond) // for a machine that others use as well
	}
}
