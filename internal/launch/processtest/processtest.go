//go:build unix

// Package processtest tells whether a test has left something behind: processes,
// goroutines, open files, sockets.
package processtest

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Gone tells whether a process has ended. One that is dead but has not been waited for,
// because its parent died before it, counts as ended.
func Gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// Soon polls until ok holds. Its deadline is only there to end a failing test.
func Soon(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}

// Traceless fails the test at its end when it has left a temporary file, a goroutine or
// an open file behind. It gives the test a temporary directory of its own.
func Traceless(t *testing.T) {
	t.Helper()
	dir, err := os.MkdirTemp("", "p") // short: a socket's path has room for about 100 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	goroutines, files := runtime.NumGoroutine(), openFiles()
	t.Cleanup(func() {
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("left in the temporary directory: %v", left)
		}
		os.RemoveAll(dir)
		Soon(t, "goroutines are left", func() bool { return runtime.NumGoroutine() <= goroutines })
		Soon(t, "files are left open", func() bool { return openFiles() <= files })
	})
}

// openFiles counts this process's file descriptors, where the system lists them.
func openFiles() int {
	all, _ := os.ReadDir("/proc/self/fd")
	return len(all)
}
