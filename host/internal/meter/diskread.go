package meter

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// DiskRead is how many bytes the disk has given to a process so far, faults of mapped files included: what the system's
// cache gave is not among them. It is nil where the system does not say, which Linux does.
func DiskRead(pid int) *uint64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err != nil {
		return nil
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		number, found := bytes.CutPrefix(lines.Bytes(), []byte("read_bytes: "))
		if !found {
			continue
		}
		if n, err := strconv.ParseUint(string(number), 10, 64); err == nil {
			return &n
		}
	}
	return nil
}

// DiskReads are what several processes had read at one time.
type DiskReads map[int]*uint64

// ReadsOf is what processes have read by now.
func ReadsOf(pids ...int) DiskReads {
	reads := DiskReads{}
	for _, pid := range pids {
		reads[pid] = DiskRead(pid)
	}
	return reads
}

// Since is what they have read since then; nil: of one the system does not say.
func (r DiskReads) Since() *uint64 {
	var total uint64
	for pid, before := range r {
		now := DiskRead(pid)
		if before == nil || now == nil {
			return nil
		}
		total += *now - *before
	}
	return &total
}
