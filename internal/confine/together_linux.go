package confine

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// StartTogether starts a command as the first process of a namespace, with which all others in it end, however they
// have detached themselves. apart says why that cannot be had: then the command has started without.
func StartTogether(cmd *exec.Cmd) (apart, err error) {
	together := *cmd
	together.SysProcAttr = namespaced(cmd.SysProcAttr)
	if apart = together.Start(); apart != nil {
		return apart, cmd.Start()
	}
	*cmd = together
	return nil, nil
}

// namespaced is attr for a child that is the first process of a namespace. Without the right to make one, it gets that
// right in a namespace of users, in which it is who it was.
func namespaced(attr *syscall.SysProcAttr) *syscall.SysProcAttr {
	apart := *attr
	apart.Cloneflags |= unix.CLONE_NEWPID
	if uid, gid := os.Geteuid(), os.Getegid(); uid != 0 {
		apart.Cloneflags |= unix.CLONE_NEWUSER
		apart.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		apart.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
	}
	return &apart
}

// Sweep kills every process that has this entry in its environment, as those have that a plugin has made, unless they
// have taken it away. It is for plugins that are in no namespace, and ends when none is left.
func Sweep(entry string) {
	for swept := true; swept; {
		swept = false
		found, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is well formed
		for _, path := range found {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil || pid == os.Getpid() || !hasEntry(path, entry) {
				continue
			}
			swept = unix.Kill(pid, unix.SIGKILL) == nil || swept
		}
	}
}

// hasEntry tells whether an environment has an entry. Of a process that has ended there is none.
func hasEntry(path, entry string) bool {
	environment, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	for each := range bytes.SplitSeq(environment, []byte{0}) {
		if string(each) == entry {
			return true
		}
	}
	return false
}
