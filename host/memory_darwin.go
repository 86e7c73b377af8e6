package host

import (
	"os"

	"golang.org/x/sys/unix"
)

// physicalMemory is the bytes of memory of this machine.
func physicalMemory() (uint64, error) {
	bytes, err := unix.SysctlUint64("hw.memsize")
	return bytes, os.NewSyscallError("sysctl hw.memsize", err)
}
