//go:build amd64 || arm64

package confine

import (
	"fmt"
	"testing"

	"golang.org/x/sys/unix"
)

// fillPipes has as many pipes as it gets, and puts into them what they take.
func fillPipes() {
	_ = unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 1 << 16, Max: 1 << 16}) // may fail
	var limit unix.Rlimit
	_ = unix.Getrlimit(unix.RLIMIT_NOFILE, &limit)
	_ = unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: limit.Max, Max: limit.Max})
	pipes, mebibytes, page := 0, 0.0, make([]byte, 4096)
	for {
		var ends [2]int
		if unix.Pipe2(ends[:], unix.O_NONBLOCK) != nil {
			break
		}
		for pipes++; ; {
			n, err := unix.Write(ends[1], page)
			if err != nil {
				break
			}
			mebibytes += float64(n) / (1 << 20)
		}
	}
	fmt.Println("pipes", pipes)
	fmt.Println("MiB", int(mebibytes))
}

// What lies in pipes nobody counts as a plugin's where there is no control group: the files that it may open bound it.
func TestPipes_HoldLittle(t *testing.T) {
	got := within(t, &Process{}, "pipes")
	if got["pipes"] == 0 || got["pipes"] > 1<<12 || got["MiB"] > 128 {
		t.Errorf("%d MiB in %d pipes", int(got["MiB"]), int(got["pipes"]))
	}
	t.Logf("%d MiB in %d pipes", int(got["MiB"]), int(got["pipes"]))
}
