package confine

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// UseOf is what a process takes of memory. A process that has ended takes none, which is an error.
func UseOf(pid int) (Use, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return Use{}, err
	}
	own, alive := kibibytes(status, "RssAnon")
	swapped, _ := kibibytes(status, "VmSwap")
	huge, _ := kibibytes(status, "HugetlbPages")
	most, _ := kibibytes(status, "VmHWM")
	tables, _ := kibibytes(status, "VmPTE")
	if !alive {
		return Use{}, fmt.Errorf("process %d: %w", pid, os.ErrProcessDone)
	}
	tasks, _ := number(status, "Threads", "")
	return Use{Own: own + swapped + huge, Most: most, Tables: tables, Tasks: tasks, CPU: cpuOf(pid)}, nil
}

// tick is the unit of times in /proc: a hundredth of a second on all processors that Linux runs on today.
const tick = 10 * time.Millisecond

// cpuOf is the time of processors that a process has taken, with its children that it has waited for.
func cpuOf(pid int) (took time.Duration) {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // of a process that has ended nothing
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const user, all = 11, 4 // utime, stime, cutime and cstime, after the name, see proc_pid_stat(5)
	for i := user; i < user+all && i < len(fields); i++ {
		n, _ := strconv.Atoi(string(fields[i])) // the kernel writes numbers
		took += time.Duration(n) * tick
	}
	return took
}

// kibibytes is the value of a line like "RssAnon:      56 kB", in bytes.
func kibibytes(status []byte, name string) (uint64, bool) {
	n, found := number(status, name, " kB")
	return n << 10, found
}

// number is the value of a line, without its unit.
func number(status []byte, name, unit string) (uint64, bool) {
	_, rest, found := bytes.Cut(status, []byte("\n"+name+":"))
	line, _, _ := bytes.Cut(rest, []byte(unit+"\n"))
	n, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 10, 64)
	return n, found && err == nil
}

// useOfFamily is UseOf with what the children of the process take, and theirs.
func useOfFamily(pid int) (Use, error) {
	use, err := UseOf(pid)
	if err != nil {
		return use, err
	}
	for _, child := range family(pid)[1:] {
		theirs, _ := UseOf(child) // of one that has ended nothing
		use = use.and(theirs)
	}
	return use, nil
}

// family are a process, its children, and theirs.
func family(pid int) []int {
	all := []int{pid}
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is well formed
	for _, list := range lists {
		children, _ := os.ReadFile(list) // of a thread that has ended
		for child := range bytes.FieldsSeq(children) {
			if n, err := strconv.Atoi(string(child)); err == nil {
				all = append(all, family(n)...)
			}
		}
	}
	return all
}
