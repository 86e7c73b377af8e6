package launch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/launch/processtest"
)

// A host that is killed while it shakes hands leaves the folder in which its plugin listens. The next one removes it,
// and neither that of a host that lives nor what only looks like one.
func TestStart_SweepsWhatKilledHostsLeft(t *testing.T) {
	processtest.Traceless(t)
	listening := func() []string {
		found, err := filepath.Glob(filepath.Join(os.TempDir(), socketsPrefix+"*", "s"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	shaking := func(hosts int) *exec.Cmd {
		t.Helper()
		host := exec.Command(os.Args[0], hostArg)
		if err := host.Start(); err != nil {
			t.Fatal(err)
		}
		processtest.Soon(t, "no plugin listens", func() bool { return len(listening()) == hosts })
		return host
	}
	kill := func(host *exec.Cmd) {
		host.Process.Kill()
		host.Wait()
	}
	t.Setenv(behavior, "await death while it shakes hands")
	living := shaking(1)
	defer kill(living)
	lives := listening()[0]
	kill(shaking(2))
	if len(listening()) != 2 {
		t.Fatal("the host has left nothing") // and this test is of no use
	}
	like := filepath.Join(os.TempDir(), socketsPrefix+"notes")
	note := filepath.Join(like, "note")
	stay := []string{note}
	if err := os.Mkdir(like, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		stay = append(stay, filepath.Join(like, strconv.Itoa(i)))
		if err := unix.Mknod(stay[i+1], unix.S_IFSOCK|0o600, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(note, nil, 0o600); err != nil {
		t.Fatal(err)
	}

	t.Setenv(behavior, "")
	mustStart(t, Options{}).Close()
	if left := listening(); len(left) != 1 || left[0] != lives {
		t.Errorf("%v are left; that of the host that lives was to be", left)
	}
	for _, stays := range stay {
		if _, err := os.Lstat(stays); err != nil {
			t.Error(err)
		}
	}

	kill(living)
	os.Remove(note)
	new(swept).sweep(os.TempDir())
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("%v are left of hosts that are gone", left)
	}
}
