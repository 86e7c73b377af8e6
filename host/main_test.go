package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/registry"
	_ "github.com/penstock-db/penstock/plugins/cpu/reexec" // lets this test program be the CPU plugin
	_ "github.com/penstock-db/penstock/plugins/npu/reexec" // and the NPU plugin
	"github.com/penstock-db/penstock/store"
)

// hostArg makes this test program a host that runs until it is killed, on graph g of the
// database in the next argument.
const hostArg = "test-host"

// idleHostArg makes it one that keeps an idle device until it is killed.
const idleHostArg = "test-idle-host"

// resumingHostArg makes it one that keeps checkpoints, and waits to be killed.
const resumingHostArg = "test-resuming-host"

// ownVariable is a variable that this test program sees as a plugin that is named by its path.
func ownVariable(name string) string { return launch.OwnVariable(filepath.Base(os.Args[0]), name) }

func TestMain(m *testing.M) {
	// else every process that is built with the race detector ends a second late
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	// what a user has installed auto might choose
	os.Setenv(registry.DirVariable, filepath.Join(os.TempDir(), "no-plugins-of-penstock"))
	beFaulty()
	if len(os.Args) > 2 && os.Args[1] == hostArg {
		fmt.Fprintln(os.Stderr, runForever(os.Args[2]))
		os.Exit(1)
	}
	if len(os.Args) > 2 && os.Args[1] == idleHostArg {
		fmt.Fprintln(os.Stderr, idleForever(os.Args[2]))
		os.Exit(1)
	}
	if len(os.Args) > 2 && os.Args[1] == resumingHostArg {
		fmt.Fprintln(os.Stderr, resumeForever(os.Args[2]))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// runForever tells the process id of the plugin once it computes.
func runForever(dir string) error {
	snap, err := openGraph(dir)
	if err != nil {
		return err
	}
	var pid int
	_, err = Run(context.Background(), snap, endless("auto"), Events{
		Launched: func(l Launch) { pid = l.PID },
		Iterated: func(i IterationReport) {
			if i.Number == 2 {
				fmt.Println(pid)
				time.Sleep(time.Hour)
			}
		},
	})
	return err
}

// idleForever tells the process id of the plugin when a run has ended.
func idleForever(dir string) error {
	snap, err := openGraph(dir)
	if err != nil {
		return err
	}
	var pid int
	_, err = NewEngine(time.Hour).Run(context.Background(), snap, Request{Algorithm: "wcc"},
		Events{Launched: func(l Launch) { pid = l.PID }})
	if err == nil {
		fmt.Println(pid)
		time.Sleep(time.Hour)
	}
	return err
}

// openGraph is graph g of the database in dir, which the end of the process closes.
func openGraph(dir string) (*store.Snapshot, error) {
	db, err := store.Open(dir, store.Options{})
	if err != nil {
		return nil, err
	}
	return db.Snapshot("g")
}
