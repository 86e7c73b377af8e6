package faulty

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// flushDisks wants what others have written to be on the disks: by a file that it may read, else at once.
func flushDisks() error {
	program, err := os.Open("/proc/self/exe")
	if err != nil {
		return err
	}
	defer program.Close()
	err = unix.Fsync(int(program.Fd()))
	if err == nil {
		return nil
	}
	others := unix.Syncfs(int(program.Fd()))
	if _, _, all := unix.Syscall(unix.SYS_SYNC, 0, 0, 0); all != 0 && others != nil {
		return errors.Join(err, others, all)
	}
	return nil
}
