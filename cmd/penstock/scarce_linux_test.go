package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/confine/cgroup"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/internal/pages/scarce"
)

// The program is prepared for little memory before package os, and what needs it, touches most of it.
func TestEarly(t *testing.T) {
	cmd := exec.Command("penstock", "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	early := strings.Index(trace.String(), "init github.com/penstock-db/penstock/internal/pages/early @")
	if after := strings.Index(trace.String(), "init os @"); early < 0 || after < early {
		t.Errorf("it comes at %d, os at %d of:\n%s", early, after, &trace)
	}
}

// Where memory is scarce code is read in pieces, which the report counts; elsewhere as the system likes.
func TestRun_CodeInPieces(t *testing.T) {
	if race {
		t.Skip("the race detector takes several times the memory; .ci/run runs this test without it as well")
	}
	db := filepath.Join(t.TempDir(), "db")
	if out, err := exec.Command("penstock", "generate", "--db", db, "g", "--scale", "8").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if have, err := pages.Physical(); err == nil && have > scarce.Little {
		if n := pieces(t, db, func(int) error { return nil }); n != 0 {
			t.Errorf("%d pieces where there is enough memory", n)
		}
	}
	place, err := cgroup.Own()
	if err != nil {
		t.Skip("needs a control group: run it as root where /sys/fs/cgroup can be written to: ", err)
	}
	group, err := place.Make(1 << 16)
	if err != nil {
		t.Skip("needs a control group: run it as root where /sys/fs/cgroup can be written to: ", err)
	}
	defer group.Remove()
	if err := group.Limit(scarce.Little); err != nil {
		t.Fatal(err)
	}
	join := func(pid int) error {
		if err := group.Join(pid); err != nil || seesGroup(pid) {
			return err
		}
		t.Skip("control groups are mounted elsewhere than a process looks for its own")
		return nil
	}
	if n := pieces(t, db, join); n < 100 {
		t.Errorf("its code, which is more than 6 MiB, is read in %d pieces", n)
	}
}

// seesGroup tells whether the group of a process is where /proc says: in some containers it is not.
func seesGroup(pid int) bool {
	groups, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		root, known := map[string]string{"memory": "/sys/fs/cgroup/memory", "": "/sys/fs/cgroup"}[fields[1]]
		if !known {
			continue
		}
		for _, limit := range []string{"memory.limit_in_bytes", "memory.max"} {
			text, _ := os.ReadFile(filepath.Join(root, fields[2], limit))
			if strings.TrimSpace(string(text)) == strconv.Itoa(scarce.Little) {
				return true
			}
		}
	}
	return false
}

// pieces is in how many pieces a run says that its code is read, whose process has joined first.
func pieces(t *testing.T, db string, join func(pid int) error) int {
	t.Helper()
	cmd := exec.Command("sh", "-c", `read go; exec penstock run --db "$0" --graph g wcc --json`, db)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	err = join(cmd.Process.Pid)
	in.Close()
	if failed := cmd.Wait(); failed != nil || err != nil {
		t.Fatalf("%v, %v: %s", err, failed, &problems)
	}
	var report struct {
		Pieces int `json:"program_pieces"`
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	return report.Pieces
}
