package pages

import (
	"os"

	"golang.org/x/sys/unix"
)

// Physical is the bytes of memory of this machine.
func Physical() (uint64, error) {
	bytes, err := unix.SysctlUint64("hw.memsize")
	return bytes, os.NewSyscallError("sysctl hw.memsize", err)
}
