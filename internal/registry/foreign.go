package registry

import (
	"debug/elf"
	"fmt"
	"runtime"

	"github.com/penstock-db/penstock/internal/regular"
)

// ForeignError is a file that this program cannot load as a library.
type ForeignError struct {
	File, Reason string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s is no library for %s: %s", e.File, Platform, e.Reason)
}

// machines are those that headers of libraries name.
var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// foreign is what is wrong with a library, as far as its header says; elsewhere than on Linux
// the loader says it.
func foreign(path string) error {
	if runtime.GOOS != "linux" {
		return nil
	}
	opened, err := regular.Open(path)
	if err != nil {
		return &ForeignError{path, "it cannot be opened (" + err.Error() + ")"}
	}
	defer opened.Close()
	file, err := elf.NewFile(opened)
	if err != nil {
		return &ForeignError{path, "it has no header of one (" + err.Error() + ")"}
	}
	switch expected, known := machines[runtime.GOARCH]; {
	case file.Type != elf.ET_DYN:
		return &ForeignError{path, "it is no shared library"}
	case known && (file.Machine != expected || file.Class != elf.ELFCLASS64):
		return &ForeignError{path, fmt.Sprintf("it is for %v, %v", file.Machine, file.Class)}
	}
	return nil
}
