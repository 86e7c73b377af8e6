package host

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// endless runs until it is stopped.
func endless(schedule string) Request {
	return Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "2000000000"}, Schedule: schedule}
}

// disturbed runs endlessly and calls disturb with the plugin's process id once the
// second iteration has ended. It returns the run's error, when the process is gone.
func disturbed(t *testing.T, ctx context.Context, snap *store.Snapshot, req Request, disturb func(pid int)) error {
	t.Helper()
	processtest.Traceless(t)
	var pid int
	_, err := Run(ctx, snap, req, Events{
		Launched: func(l Launch) { pid = l.PID },
		Iterated: func(i IterationReport) {
			if i.Number == 2 {
				disturb(pid)
			}
		},
	})
	if err == nil {
		t.Fatal("no error")
	}
	if pid == 0 || !processtest.Gone(pid) {
		t.Errorf("plugin process %d outlived the run", pid)
	}
	if _, err := Run(context.Background(), snap, Request{Algorithm: "wcc"}, Events{}); err != nil {
		t.Errorf("the next run: %v", err)
	}
	return err
}

func TestRun_CancelKillsThePlugin(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 3000, true, false, false).stored(t, 2048)
	for _, schedule := range Schedules {
		t.Run(schedule, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			err := disturbed(t, ctx, snap, endless(schedule), func(int) { cancel() })
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestRun_CanceledBeforeItStarts(t *testing.T) {
	processtest.Traceless(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	snap := random(testseed.Rand(t), 20, 60, true, false, false).stored(t, 0)
	if _, err := Run(ctx, snap, Request{Algorithm: "wcc"}, Events{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestRun_DeadlineIsToldAsSuch(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 3000, true, false, false).stored(t, 2048)
	processtest.Traceless(t)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := Run(ctx, snap, endless("auto"), Events{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestRun_PluginKilledFromOutside(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 3000, true, false, false).stored(t, 2048)
	for _, schedule := range Schedules {
		t.Run(schedule, func(t *testing.T) {
			err := disturbed(t, context.Background(), snap, endless(schedule),
				func(pid int) { syscall.Kill(pid, syscall.SIGKILL) })
			if plugins.KindOf(err) != plugins.KindDied || !strings.Contains(err.Error(), "signal: killed") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestRun_StoppedPluginCountsAsHung(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 3000, true, false, false).stored(t, 2048)
	req := endless("auto")
	req.Timeout = 2 * time.Second
	err := disturbed(t, context.Background(), snap, req, func(pid int) { syscall.Kill(pid, syscall.SIGSTOP) })
	if plugins.KindOf(err) != plugins.KindHung {
		t.Errorf("error %v", err)
	}
}

// kill -9 of the host, in the middle of a run: the plugin dies too, and the database is
// as it was.
func TestRun_HostKilled(t *testing.T) {
	dir := t.TempDir()
	stored(t, dir)
	killHost(t, hostArg, dir)
	db, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Verify(context.Background(), "g"); err != nil {
		t.Error(err)
	}
}

// killHost starts this test program as a host (see TestMain), kills it once its plugin
// runs, and waits for the end of that.
func killHost(t *testing.T, arg, dir string) {
	t.Helper()
	host := exec.Command(os.Args[0], arg, dir)
	host.Stderr = os.Stderr
	out, err := host.StdoutPipe()
	if err == nil {
		err = host.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || processtest.Gone(pid) {
		t.Fatalf("no plugin to begin with: %q, %v", line, err)
	}
	host.Process.Kill()
	host.Wait()
	processtest.Soon(t, "the plugin outlived its host", func() bool { return processtest.Gone(pid) })
}

// stored puts a graph into a database and closes it.
func stored(t *testing.T, dir string) {
	t.Helper()
	db, err := store.Open(dir, store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	g := random(testseed.Rand(t), 300, 3000, true, false, false)
	if _, err := db.Load(context.Background(), "g", g, store.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
