package measure

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Processors is the time that this process and all below it have had processors, those that have ended included. The
// clock of each process has it to the nanosecond (clock_getcpuclockid(3)).
func Processors() time.Duration {
	var ended unix.Rusage
	if unix.Getrusage(unix.RUSAGE_CHILDREN, &ended) != nil {
		return 0
	}
	total := time.Duration(ended.Utime.Nano() + ended.Stime.Nano())
	for below := []int{os.Getpid()}; len(below) > 0; {
		pid := below[0]
		var has unix.Timespec
		if unix.ClockGettime(int32(^pid<<3|2), &has) == nil { // else it has just ended
			total += time.Duration(has.Nano())
		}
		below = append(below[1:], children(pid)...)
	}
	return total
}

// children are the processes that a process has started. Each of its threads has those of its own.
func children(pid int) (all []int) {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil // it has just ended
	}
	for _, thread := range threads {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, thread.Name()))
		if err != nil {
			continue
		}
		words := bufio.NewScanner(bytes.NewReader(text))
		words.Split(bufio.ScanWords)
		for words.Scan() {
			if child, err := strconv.Atoi(words.Text()); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}
