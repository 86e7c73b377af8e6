package tree

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/internal/durable"
	"golang.org/x/sys/unix"
)

// VlogHeader is the size of an empty value log of Badger's: eight bytes for the key that
// it is encrypted with, zero for none, and twelve that only encryption uses.
const VlogHeader = 20

// FinishLog makes slots for all logs (see addSlots), and begins a new value log when the newest one in dir holds
// anything; Badger must be closed. When Badger opens, it reads the newest log and cuts it off at the first entry whose
// checksum is wrong, with all that follows, which may be other graphs. Older logs stay as they are. The new log is a
// header, as Badger would write it after reading the whole of the log before; temp is where it is made.
func FinishLog(dir, temp string) error {
	if err := addSlots(dir); err != nil {
		return err
	}
	number, size, err := NewestLog(dir)
	if err != nil || size <= VlogHeader {
		return err
	}
	made := filepath.Join(temp, "log")
	err = durable.Write(made, make([]byte, VlogHeader), 0o666)
	if err == nil {
		err = os.Rename(made, LogPath(dir, number+1))
	}
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		return nil // what was written is there all the same, and the next Open begins a log
	}
	return err
}

func LogPath(dir string, number uint64) string {
	return filepath.Join(dir, fmt.Sprintf("%06d.vlog", number))
}

// NewestLog finds the value log that Badger wrote to last; size 0: there is none.
func NewestLog(dir string) (number uint64, size int64, err error) {
	numbers, err := LogNumbers(dir)
	if err != nil || len(numbers) == 0 {
		return 0, 0, err
	}
	number = numbers[len(numbers)-1]
	info, err := os.Stat(LogPath(dir, number))
	if err != nil {
		return 0, 0, err
	}
	return number, info.Size(), nil
}

// LogNumbers are the numbers of the value logs in dir, ascending.
func LogNumbers(dir string) (numbers []uint64, err error) {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), ".vlog")
		if !ok {
			continue
		}
		if n, err := strconv.ParseUint(name, 10, 32); err == nil { // Badger reports names that it cannot read
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, err
}
