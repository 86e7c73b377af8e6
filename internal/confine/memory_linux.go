package confine

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// UseOf is what a process takes of memory. A process that has ended takes none, which is an error.
func UseOf(pid int) (Use, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return Use{}, err
	}
	own, alive := kibibytes(status, "RssAnon")
	swapped, _ := kibibytes(status, "VmSwap")
	most, _ := kibibytes(status, "VmHWM")
	if !alive {
		return Use{}, fmt.Errorf("process %d: %w", pid, os.ErrProcessDone)
	}
	return Use{Own: own + swapped, Most: most}, nil
}

// kibibytes is the value of a line like "RssAnon:      56 kB", in bytes.
func kibibytes(status []byte, name string) (uint64, bool) {
	_, rest, found := bytes.Cut(status, []byte("\n"+name+":"))
	line, _, _ := bytes.Cut(rest, []byte(" kB\n"))
	n, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 10, 64)
	return n << 10, found && err == nil
}
