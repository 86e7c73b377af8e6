package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// vlogHeader is the size of an empty value log of Badger's: eight bytes for the key that
// it is encrypted with, zero for none, and twelve that only encryption uses.
const vlogHeader = 20

// finishLog begins a new value log when the newest one in dir holds anything; Badger
// must be closed. When Badger opens, it reads the newest log and cuts it off at the
// first entry whose checksum is wrong, with all that follows, which may be other
// graphs. Older logs stay as they are. The new log is a header, as Badger would write
// it after reading the whole of the log before; temp is where it is made.
func finishLog(dir, temp string) error {
	number, size, err := newestLog(dir)
	if err != nil || size <= vlogHeader {
		return err
	}
	made := filepath.Join(temp, "log")
	err = writeSynced(made, make([]byte, vlogHeader))
	if err == nil {
		err = os.Rename(made, logPath(dir, number+1))
	}
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		return nil // what was written is there all the same, and the next Open begins a log
	}
	return err
}

func logPath(dir string, number uint64) string {
	return filepath.Join(dir, fmt.Sprintf("%06d.vlog", number))
}

// newestLog finds the value log that Badger wrote to last; size 0: there is none.
func newestLog(dir string) (number uint64, size int64, err error) {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), ".vlog")
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(name, 10, 32)
		if err != nil || n < number {
			continue // Badger reports names that it cannot read
		}
		info, err := entry.Info()
		if err != nil {
			return 0, 0, err
		}
		number, size = n, info.Size()
	}
	return number, size, err
}

func writeSynced(path string, content []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}
