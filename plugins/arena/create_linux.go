package arena

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Create maps a fresh, zeroed region of at least size bytes, rounded up to whole
// pages. It has no name: other processes of the same user reach it through this
// process's open file, and it is gone when the last of them has closed it or died.
// The region cannot shrink, so no reader of it can meet the end of its file.
func Create(size uint64) (*Arena, error) {
	size, err := wholePages(size)
	if err != nil {
		return nil, err
	}
	fd, err := unix.MemfdCreate("penstock-arena", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("arena of %d bytes: memfd_create: %w", size, err)
	}
	file := os.NewFile(uintptr(fd), fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd))
	if err := file.Truncate(int64(size)); err != nil {
		file.Close()
		return nil, fmt.Errorf("arena of %d bytes: %w", size, err)
	}
	if _, err := unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_SEAL); err != nil {
		file.Close()
		return nil, fmt.Errorf("arena of %d bytes: seal: %w", size, err)
	}
	return mapFile(file, size, file.Close)
}
