package space

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// reserve makes a file of so many bytes with blocks of the disk behind them: given by
// the file system's own means, if it has any, else as zeroes.
func reserve(path string, bytes int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = unix.Fallocate(int(f.Fd()), 0, 0, bytes)
	if errors.Is(err, unix.EOPNOTSUPP) {
		_, err = f.Write(make([]byte, bytes))
	}
	return errors.Join(err, f.Close())
}
