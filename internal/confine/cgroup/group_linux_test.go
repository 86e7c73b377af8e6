package cgroup

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// makerVariable has this test program make a group, say where, and wait to be killed.
const makerVariable = "PENSTOCK_TEST_MAKER"

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	if os.Getenv(makerVariable) != "" {
		place, err := Own()
		if err == nil {
			var g *Group
			if g, err = place.Make(10); err == nil {
				fmt.Println(g.memory)
				time.Sleep(time.Hour)
			}
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// ownPlace is where this process may make groups.
func ownPlace(t *testing.T) *Place {
	t.Helper()
	place, err := Own()
	if err == nil {
		var g *Group
		if g, err = place.Make(1); err == nil {
			err = g.Remove()
		}
	}
	if err != nil {
		t.Skip("there are no control groups for this process: ", err)
	}
	return place
}

func mustMake(t *testing.T, tasks uint64) *Group {
	t.Helper()
	g, err := ownPlace(t).Make(tasks)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Remove() })
	return g
}

// within runs a script of a shell in a group.
func within(t *testing.T, g *Group, script string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sh", "-c", "read go; "+script)
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		err = g.Join(cmd.Process.Pid)
	}
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(in)
	return cmd
}

// takes is a script that takes 100 MB of memory, and says whether it has.
const takes = "head -c 100000000 /dev/zero | tail -c 100000000 | wc -c | grep -q 100000000"

func TestGroup_HoldsMemory(t *testing.T) {
	g := mustMake(t, 100)
	if err := g.Limit(1 << 30); err != nil {
		t.Fatal(err)
	}
	if err := within(t, g, takes).Wait(); err != nil || g.Ended().Killed {
		t.Errorf("within the limit: %v, %+v", err, g.Ended())
	}
	if err := g.Limit(32 << 20); err != nil {
		t.Fatal(err)
	}
	err := within(t, g, takes).Wait()
	if e := g.Ended(); err == nil || !e.Killed || e.Refused || e.Most < 24<<20 {
		t.Errorf("beyond the limit: %v, %+v", err, e)
	}
	if err := g.Limit(0); err != nil {
		t.Fatal(err)
	}
	if err := within(t, g, takes).Wait(); err != nil {
		t.Errorf("without a limit: %v", err)
	}
}

func TestGroup_HoldsTasks(t *testing.T) {
	g := mustMake(t, 4)
	if g.tasks == "" {
		t.Skip("there is no controller of tasks")
	}
	within(t, g, "sleep 0 & sleep 0 & wait").Wait()
	if g.Ended().Refused {
		t.Error("within the limit one is refused")
	}
	within(t, g, "sleep 9 & sleep 9 & sleep 9 & sleep 9 & sleep 9 & wait").Wait()
	if !g.Ended().Refused {
		t.Error("none is refused")
	}
}

// Nothing is left of a group that is removed, also of what has left its parent and session.
func TestRemove_EndsWhatIsLeft(t *testing.T) {
	g := mustMake(t, 100)
	cmd := within(t, g, "setsid sleep 100 < /dev/null > /dev/null 2>&1 & sleep 100")
	go cmd.Wait()
	dir := g.memory
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		pids, err := words(dir, "cgroup.procs")
		if err != nil || time.Now().After(end) {
			t.Fatal(pids, err)
		}
		if len(pids) == 3 {
			break
		}
	}
	if err := g.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := syscall.Kill(cmd.Process.Pid, 0); err == nil {
		if stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid)); !strings.Contains(string(stat), ") Z ") && len(stat) > 0 {
			t.Error("a process is left")
		}
	}
}

// However many processes look for what is nobody's meanwhile, a group can be made, and stays.
func TestMake_WhileOthersSweep(t *testing.T) {
	place := ownPlace(t)
	var sweepers sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		sweepers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					place.sweep()
				}
			}
		})
	}
	for i := range 200 {
		g, err := place.Make(1)
		if err != nil {
			t.Errorf("group %d: %v", i, err)
			continue
		}
		if err := g.Remove(); err != nil {
			t.Errorf("group %d is gone: %v", i, err)
		}
	}
	close(done)
	sweepers.Wait()
}

// What somebody has left who was killed is removed, once it is empty; what is somebody's is not.
func TestSweep_RemovesWhatIsNobodys(t *testing.T) {
	place := ownPlace(t)
	maker := exec.Command(os.Args[0])
	maker.Env = append(os.Environ(), makerVariable+"=1")
	maker.Stderr = os.Stderr
	out, err := maker.StdoutPipe()
	if err == nil {
		err = maker.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	dir := strings.TrimSpace(line)
	stays := func(why string) {
		t.Helper()
		place.sweep()
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("%s: %v", why, err)
		}
	}
	stays("its maker lives")
	sleeper := exec.Command("sleep", "100")
	if err := errors.Join(err, sleeper.Start(), write(dir, "cgroup.procs", fmt.Sprint(sleeper.Process.Pid))); err != nil {
		t.Fatal(err)
	}
	maker.Process.Kill()
	maker.Wait()
	stays("it has a process")
	sleeper.Process.Kill()
	sleeper.Wait()
	place.sweep()
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is left: %v", err)
	}
}
