//go:build linux

package store

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// A disk becomes full at every moment of a load, a replacement, a write-back, and of commits with the compactions between
// them. A process does that with so many bytes left, and is told that the disk is full, or dies. Then the graphs can be read
// on the full disk; with space they are as they were acknowledged, and the same is done again.
//
// PENSTOCK_DISKFULL_STEPS is how many different amounts of space each is given.
func TestDiskFull_EveryStep(t *testing.T) {
	steps := 4
	if n, err := strconv.Atoi(os.Getenv("PENSTOCK_DISKFULL_STEPS")); err == nil {
		steps = n
	}
	disk := smallDisk(t, "384m")
	dir := filepath.Join(disk, "db")
	reopen(t, dir, func(db *DB) {
		must(t, crashLoad(db, "old", 1))
		must(t, crashProperty(db, 1))
		must(t, db.CreateGraph(t.Context(), "g"))
	})
	outcomes := map[string]int{}
	for step := range steps {
		for _, what := range []string{"load", "replace", "property", "commit"} {
			left := int64(160<<20) * int64(step) / int64(steps)
			outcome := fillWhile(t, disk, dir, what, left)
			outcomes[what+" "+outcome]++
			if t.Failed() {
				t.Fatalf("%s with %d bytes left: %s", what, left, outcome)
			}
		}
	}
	t.Log(outcomes)
}

// fillWhile has a process do what with so many bytes left, and tells how it ended.
func fillWhile(t *testing.T, disk, dir, what string, left int64) (outcome string) {
	t.Helper()
	var commits int64
	reopen(t, dir, func(db *DB) { commits = committed(t, db) })
	filler := fill(t, disk)
	info, err := os.Stat(filler)
	must(t, err)
	must(t, os.Truncate(filler, max(0, info.Size()-left)))

	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"="+what, childDirEnv+"="+dir, childSeed+"=7")
	var out, complaint bytes.Buffer
	child.Stdout, child.Stderr = &out, &complaint
	err = child.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		outcome = "done"
	case strings.Contains(complaint.String(), "disk full"):
		outcome = "refused"
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).ExitStatus() == 2 && strings.Contains(complaint.String(), "SIGBUS"):
		outcome = "died"
	default:
		t.Errorf("%v: %s", err, complaint.String())
	}
	reported := int64(0)
	if what == "commit" {
		reported = max(0, int64(strings.Count(out.String(), "\n"))-1) // the first line says that it works
	}

	reader, err := Open(dir, Options{ReadOnly: true})
	must(t, err)
	for _, graph := range []string{"old", "g"} {
		if err := reader.Verify(t.Context(), graph); err != nil {
			t.Errorf("on the full disk graph %s cannot be read: %v", graph, err)
		}
	}
	must(t, reader.Close())

	must(t, os.Remove(filler))
	reopen(t, dir, func(db *DB) {
		readState(t, db)
		assertNothingUnnamed(t, db)
		if now := committed(t, db); now < commits+reported {
			t.Errorf("%d commits were acknowledged, %d are there", commits+reported, now)
		}
		if _, err := db.current("new"); err == nil {
			must(t, db.Drop(t.Context(), "new"))
		}
		if what == "property" {
			must(t, crashProperty(db, left))
		}
	})
	return outcome
}
