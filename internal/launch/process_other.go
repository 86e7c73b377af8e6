//go:build unix && !linux

package launch

import "syscall"

// childAttributes puts the plugin into a process group of its own, so that Ctrl-C in a
// terminal reaches this process only, and so that killing it takes its children along.
// This system cannot tie it to the life of its parent; the plugin watches for that.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
