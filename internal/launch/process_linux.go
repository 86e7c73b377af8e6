package launch

import "syscall"

// childAttributes puts the plugin into a session of its own, so that it has no terminal, whose
// Ctrl-C reaches this process only, which then decides, and so that killing it, as a group, takes
// its children along. Pdeathsig makes the kernel kill it when this process dies, even by
// SIGKILL; strictly, when the thread that started it dies, which is why process.Start
// stays on that thread until the plugin has ended.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}
