package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/launch/processtest"
)

// groupsOf are the directories of the control groups that a process is in, where these were made for it.
func groupsOf(t *testing.T, pid int) (dirs []string) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if !strings.Contains(parts[2], "/penstock-plugin-") {
			continue
		}
		for _, root := range []string{"/sys/fs/cgroup/" + parts[1], "/sys/fs/cgroup", "/sys/fs/cgroup/unified"} {
			if _, err := os.Stat(root + parts[2]); err == nil {
				dirs = append(dirs, root+parts[2])
			}
		}
	}
	if len(dirs) == 0 {
		t.Skip("there are no control groups for plugins here")
	}
	return dirs
}

func allGone(dirs []string) bool {
	for _, dir := range dirs {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// allEmpty tells whether nobody is in any of the groups: of a process that is gone threads may be left for a moment.
func allEmpty(dirs []string) bool {
	for _, dir := range dirs {
		if pids, _ := os.ReadFile(dir + "/cgroup.procs"); len(pids) > 0 {
			return false
		}
	}
	return true
}

// The control group of a plugin goes with it, however it ends.
func TestPlugin_LeavesNoGroup(t *testing.T) {
	for name, end := range map[string]func(*Plugin){"close": (*Plugin).Close, "kill": (*Plugin).Kill} {
		processtest.Traceless(t)
		p := mustStart(t, Options{})
		for _, s := range p.Walls {
			if s.Wall == confine.Memory && !strings.HasPrefix(s.How, "a control group (v") {
				t.Skip(s.How)
			}
		}
		dirs := groupsOf(t, p.PID())
		end(p)
		if !allGone(dirs) {
			t.Errorf("%s: one of %v is left", name, dirs)
		}
	}
}

// A host that is killed cannot remove the group of its plugin: the next one does.
func TestPlugin_GroupIsSwept(t *testing.T) {
	t.Setenv(behavior, "")
	host, pid, _ := startHost(t)
	dirs := groupsOf(t, pid)
	end := func(host *exec.Cmd, pid int) {
		host.Process.Kill()
		host.Wait()
		processtest.Soon(t, "the plugin outlived its host", func() bool { return processtest.Gone(pid) })
	}
	end(host, pid)
	processtest.Soon(t, "threads of the plugin are left", func() bool { return allEmpty(dirs) })
	next, pid, _ := startHost(t)
	for _, dir := range groupsOf(t, pid) {
		defer os.Remove(dir) // nobody comes after this one
	}
	defer end(next, pid)
	if !allGone(dirs) {
		t.Errorf("one of %v is left", dirs)
	}
}
