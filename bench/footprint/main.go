// Command footprint runs a command and reports its wall time and the peak memory of
// all its processes together, plugins included.
//
//	go run ./bench/footprint -- penstock run --db ./db --graph g pagerank
//
// Memory is the sum of proportional set sizes (a page shared by n processes counts
// 1/n in each), sampled from /proc/PID/smaps_rollup; so the arena, which host and
// plugin share, counts once. Linux only.
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const interval = 50 * time.Millisecond

func main() {
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "usage: footprint -- COMMAND [ARG ...]")
		os.Exit(2)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	started := time.Now()
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	stop, peak := make(chan struct{}), make(chan memory)
	go watch(cmd.Process.Pid, stop, peak)
	err := cmd.Wait()
	wall := time.Since(started)
	close(stop)
	fmt.Fprintf(os.Stderr, "wall %.2f s, peak %s\n", wall.Seconds(), <-peak)
	if err != nil {
		os.Exit(1)
	}
}

// memory is a sum of proportional set sizes in KiB.
type memory struct{ total, anonymous, shared, file, processes int }

func (m memory) String() string {
	return fmt.Sprintf("%d MiB in %d processes (anonymous %d, shared %d, mapped files %d)",
		m.total>>10, m.processes, m.anonymous>>10, m.shared>>10, m.file>>10)
}

func watch(root int, stop <-chan struct{}, result chan<- memory) {
	var peak memory
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		if now := measure(tree(root)); now.total > peak.total {
			peak = now
		}
		select {
		case <-stop:
			result <- peak
			return
		case <-ticker.C:
		}
	}
}

// tree is root and all its descendants.
func tree(root int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		if pid, parent, ok := parentOf(stat); ok {
			children[parent] = append(children[parent], pid)
		}
	}
	pids := []int{root}
	for i := 0; i < len(pids); i++ {
		pids = append(pids, children[pids[i]]...)
	}
	return pids
}

// parentOf reads "pid (name) state ppid …"; the name may hold blanks and parentheses.
func parentOf(stat string) (pid, parent int, ok bool) {
	text, err := os.ReadFile(stat)
	end := strings.LastIndexByte(string(text), ')')
	if err != nil || end < 0 {
		return 0, 0, false
	}
	fields := strings.Fields(string(text)[end+1:])
	if len(fields) < 2 {
		return 0, 0, false
	}
	pid, errPID := strconv.Atoi(strings.Fields(string(text))[0])
	parent, errParent := strconv.Atoi(fields[1])
	return pid, parent, errPID == nil && errParent == nil
}

func measure(pids []int) memory {
	m := memory{}
	for _, pid := range pids {
		f, err := os.Open(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			continue
		}
		m.processes++
		for lines := bufio.NewScanner(f); lines.Scan(); {
			m.add(strings.Fields(lines.Text()))
		}
		f.Close()
	}
	return m
}

func (m *memory) add(fields []string) {
	if len(fields) < 2 {
		return
	}
	kib, err := strconv.Atoi(fields[1])
	if err != nil {
		return
	}
	switch fields[0] {
	case "Pss:":
		m.total += kib
	case "Pss_Anon:":
		m.anonymous += kib
	case "Pss_Shmem:":
		m.shared += kib
	case "Pss_File:":
		m.file += kib
	}
}
