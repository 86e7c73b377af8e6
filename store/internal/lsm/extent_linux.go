package lsm

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// extent is where the data of a file ends and a hole follows: Badger gives logs their size before it writes them.
func extent(path string, size int) int {
	file, err := os.Open(path)
	if err != nil {
		return size
	}
	defer file.Close()
	end := int64(0)
	for {
		data, err := unix.Seek(int(file.Fd()), end, unix.SEEK_DATA)
		if errors.Is(err, unix.ENXIO) {
			return int(end)
		}
		if err != nil {
			return size // this file system cannot tell
		}
		if end, err = unix.Seek(int(file.Fd()), data, unix.SEEK_HOLE); err != nil {
			return size
		}
	}
}
