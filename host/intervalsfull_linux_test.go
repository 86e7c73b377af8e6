package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/testseed"
)

// A folder for temporary files that has no room for the state, or room for that but not for the cells, is named, with
// what there is and what is needed; nothing is left there. With as much as is said the run succeeds.
func TestRun_IntervalsDiskFull(t *testing.T) {
	rng := testseed.Rand(t)
	snap := random(rng, 40_000, 400_000, true, false, false).stored(t, 32<<10)
	req := Request{Algorithm: "wcc", Threads: 1, Device: devices(1 + rng.IntN(2))}
	needs, err := leastResident(snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = needs.State / 2
	if needs, err = Estimate(context.Background(), snap, req); err != nil {
		t.Fatal(err)
	}
	all := needs.Intervals.Scratch
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, c := range []struct {
		size  uint64
		large bool
	}{{100 << 10, false}, {all - needs.Transfer - needs.Intervals.Sources + 200<<10, false}, {all + 1<<20, true}} {
		if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", c.size)); err != nil {
			t.Skip("needs the right to mount a small file system: run it as root: ", err)
		}
		_, err := Run(context.Background(), snap, req, Events{})
		var full *ScratchError
		switch {
		case c.large && err != nil:
			t.Errorf("%d bytes: %v", c.size, err)
		case c.large:
		case !errors.As(err, &full) || !errors.Is(err, unix.ENOSPC):
			t.Errorf("%d bytes: %v", c.size, err)
		case full.Dir != dir || full.Need != all || full.Free > c.size+4096 || full.Free < c.size*9/10 ||
			full.Whole <= req.DeviceMemory || !strings.Contains(err.Error(), "TMPDIR"):
			t.Errorf("%d bytes: %+v: %v", c.size, full, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v, %v are left", err, left)
		}
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Fatal(err)
		}
	}
}
