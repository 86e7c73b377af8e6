package powercut

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/testseed"
)

// A process makes files, syncs each and reports it. After a power failure every reported one is there. Rounds go on
// until some of what was not flushed was lost and some stayed: a machine that is slow has little that is not flushed.
func TestDisk(t *testing.T) {
	d, err := New(t.TempDir(), 64<<20)
	if err != nil {
		t.Skip("needs root, /dev/fuse, a loop device and mkfs.ext4 (Debian: fuse3, e2fsprogs): ", err)
	}
	defer func() { check(t, d.Close()) }()
	r := testseed.Rand(t)
	reported, cached, lost := 0, 0, 0
	tested := func() bool { return reported > 0 && lost > 0 && lost < cached }
	for round := 0; round < 10 || !tested() && round < 100; round++ {
		failed, err := d.MountToFail("", 50+r.IntN(200))
		check(t, err)
		writer := exec.Command(
			"sh", "-c", `cd $0; i=0; while :; do yes $i | head -c 50000 >$1-$i; sync $1-$i; echo $i; i=$((i+1)); done`,
			d.Mounted(), fmt.Sprint(round))
		writer.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what the shell runs is killed with it
		out, err := writer.StdoutPipe()
		check(t, err)
		check(t, writer.Start())
		files := make(chan int)
		go func() {
			n := 0
			for lines := bufio.NewScanner(out); lines.Scan(); n++ {
			}
			files <- n
		}()
		<-failed
		time.Sleep(10 * time.Millisecond) // what was reported before arrives
		check(t, unix.Kill(-writer.Process.Pid, unix.SIGKILL))
		d.PowerOff()
		_ = writer.Wait()
		n := <-files
		check(t, d.Unmount())
		before, whole, err := d.Lose(r)
		check(t, err)
		reported, cached, lost = reported+n, cached+before, lost+before-whole
		check(t, d.Mount())
		for i := range n {
			path := filepath.Join(d.Mounted(), fmt.Sprint(round, "-", i))
			found, err := os.ReadFile(path)
			if want := bytes.Repeat(fmt.Appendf(nil, "%d\n", i), 50000)[:50000]; err != nil || !bytes.Equal(found, want) {
				t.Errorf("round %d: file %d of %d is not what was synced: %v", round, i, n, err)
			}
			check(t, os.Remove(path))
		}
		check(t, d.Unmount())
	}
	t.Logf("%d files were reported; %d of %d unflushed writes were lost", reported, lost, cached)
	if !tested() {
		t.Error("nothing is tested")
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
