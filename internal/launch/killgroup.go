//go:build unix

package launch

import (
	"os"
	"syscall"
)

// killGroup kills a process and all that belong to its group. Its leader has not been
// waited for yet, so that the number is still its own.
func killGroup(p *os.Process) {
	if err := syscall.Kill(-p.Pid, syscall.SIGKILL); err != nil {
		_ = p.Kill()
	}
}
