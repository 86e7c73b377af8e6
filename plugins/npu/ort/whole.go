package ort

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// whole tells what is wrong with a library's file that the system's loader would not tell: of one that
// was cut short it reads on beyond the end, which kills the process. A name that is no path is left to the loader.
func whole(path string) error {
	info, err := os.Stat(path)
	if runtime.GOOS == "darwin" || errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil // not ELF, or for the loader to refuse
	}
	library, err := elf.Open(path)
	if err != nil {
		return err
	}
	defer library.Close()
	if machine, known := machines[runtime.GOARCH]; known && library.Machine != machine {
		return fmt.Errorf("it is for another kind of machine (%v, not %v)", library.Machine, machine)
	}
	for _, part := range library.Progs {
		if end := part.Off + part.Filesz; end > uint64(info.Size()) {
			return fmt.Errorf("it is cut short: %d bytes, of at least %d", info.Size(), end)
		}
	}
	return nil
}
