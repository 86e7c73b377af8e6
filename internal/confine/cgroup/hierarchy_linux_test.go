package cgroup

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	mountsOf1 = `25 1 0:22 / /proc rw - proc proc rw
30 24 0:26 / /sys/fs/cgroup/unified rw,nosuid - cgroup2 cgroup2 rw
31 24 0:27 / /sys/fs/cgroup/memory rw,nosuid shared:9 - cgroup cgroup rw,memory
32 24 0:28 / /sys/fs/cgroup/pids rw,nosuid - cgroup cgroup rw,pids
`
	mountsOf2 = "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"
	// a container that sees its own part alone
	mountsOfPart = "31 24 0:27 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,cpu,memory\n"
)

func TestFind_OwnDirectory(t *testing.T) {
	for _, c := range []struct{ name, groups, mounts, controller, want string }{
		{"version 1", "8:pids:/\n4:memory:/a/b\n0::/\n", mountsOf1, "memory", "/sys/fs/cgroup/memory/a/b"},
		{"the root", "8:pids:/\n4:memory:/a/b\n0::/\n", mountsOf1, "pids", "/sys/fs/cgroup/pids"},
		{"both versions", "8:pids:/\n4:memory:/a/b\n0::/c\n", mountsOf1, "", "/sys/fs/cgroup/unified/c"},
		{"version 2", "0::/user.slice/x.scope\n", mountsOf2, "", "/sys/fs/cgroup/user.slice/x.scope"},
		{"version 2 has no such", "0::/x\n", mountsOf2, "memory", ""},
		{"controllers together", "4:cpu,memory:/docker/abc/d\n", mountsOfPart, "memory", "/sys/fs/cgroup/memory/d"},
		{"out of sight", "4:cpu,memory:/docker/other\n", mountsOfPart, "memory", ""},
		{"nothing", "", "", "memory", ""},
		{"damaged", "4:memory\n::\n:", "1 2\n - \n- cgroup\n", "memory", ""},
	} {
		if got := ownDirectory(c.groups, c.mounts, c.controller); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if p, err := find("8:pids:/\n4:memory:/a\n", mountsOf1); err != nil || p.Version() != "v1" || p.tasks != "/sys/fs/cgroup/pids" {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := find("8:pids:/\n", mountsOf1); err == nil {
		t.Errorf("%+v", p)
	}
}

// tree has the files of a group of version 2, as far as they are written to.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A group of version 2 is divided where that is its owner's business, and this process goes into a part of it before.
func TestDivisible(t *testing.T) {
	own := strconv.Itoa(os.Getpid())
	for _, c := range []struct {
		name, passed, has, inside string
		delegated                 bool
		says                      string // in the error; empty: it is divided
	}{
		{"passed on", "cpu memory\n", "cpu memory pids\n", own + "\n1\n", false, ""},
		{"delegated", "", "memory pids\n", own + "\n", true, ""},
		{"not delegated", "", "memory pids\n", own + "\n", false, "Delegate=yes"},
		{"with others", "", "memory pids\n", own + "\n1\n", true, "has other processes"},
		{"without memory", "", "cpu pids\n", own + "\n", true, "no controller of memory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := delegated
			delegated = func(string) bool { return c.delegated }
			defer func() { delegated = before }()
			dir := tree(t, map[string]string{"cgroup.subtree_control": c.passed, "cgroup.controllers": c.has, "cgroup.procs": c.inside})
			host := filepath.Join(dir, hostGroup)
			if err := os.Mkdir(host, 0o700); err != nil { // the kernel makes its files with it
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(host, "cgroup.procs"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			found, err := divisible(dir)
			if c.says != "" {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%q, %v", found, err)
				}
				return
			}
			if err != nil || found != dir {
				t.Errorf("%q, %v", found, err)
			}
			moved, _ := os.ReadFile(filepath.Join(host, "cgroup.procs"))
			passed, _ := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control"))
			if c.passed == "" && (string(moved) != own || string(passed) != "+memory +pids") || c.passed != "" && len(moved) > 0 {
				t.Errorf("moved %q, passed on %q", moved, passed)
			}
			if found, err := divisible(host); c.passed != "" && (err != nil || found != dir) {
				t.Errorf("from below: %q, %v", found, err)
			}
		})
	}
}

// What a group of version 2 is told, and says, by files such as the kernel's.
func TestGroup_Version2(t *testing.T) {
	dir := tree(t, map[string]string{"memory.max": "", "memory.swap.max": "", "memory.peak": "4096\n",
		"memory.events": "low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\n", "pids.events": "max 0\n"})
	g := &Group{version: v2, memory: dir, tasks: dir}
	for bytes, want := range map[uint64]string{1 << 20: "1048576 0", 0: "max max"} {
		for _, file := range []string{"memory.max", "memory.swap.max"} { // files do not forget what was longer
			os.Truncate(filepath.Join(dir, file), 0)
		}
		err := g.Limit(bytes)
		limit, _ := os.ReadFile(filepath.Join(dir, "memory.max"))
		swap, _ := os.ReadFile(filepath.Join(dir, "memory.swap.max"))
		if got := string(limit) + " " + string(swap); err != nil || got != want {
			t.Errorf("%d: %q, %v", bytes, got, err)
		}
	}
	if e := g.Ended(); e != (Ended{Killed: true, Most: 4096}) {
		t.Errorf("%+v", e)
	}
	os.WriteFile(filepath.Join(dir, "memory.events"), []byte("oom 0\noom_kill 1\n"), 0o600) // the machine had none left
	os.WriteFile(filepath.Join(dir, "pids.events"), []byte("max 2\n"), 0o600)
	if e := g.Ended(); e != (Ended{Refused: true, Most: 4096}) {
		t.Errorf("%+v", e)
	}
}
