package launch

import "syscall"

// childAttributes puts the plugin into a process group of its own, so that Ctrl-C in a
// terminal reaches this process only, which then decides, and so that killing it takes
// its children along. Pdeathsig makes the kernel kill it when this process dies, even by
// SIGKILL; strictly, when the thread that started it dies, which is why process.Start
// stays on that thread until the plugin has ended.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
