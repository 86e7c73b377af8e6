package pages

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Mapping is a part of a file in this process's memory.
type Mapping struct {
	From, To uintptr
	Offset   int64 // of From, in the file
	Path     string
}

// Find finds the mapping of a file at an address; os.ErrNotExist when there is none.
func Find(address uintptr) (Mapping, error) {
	all, err := mappings()
	for _, m := range all {
		if m.From <= address && address < m.To {
			return m, err
		}
	}
	return Mapping{}, os.ErrNotExist
}

// ReadSingly has the system read the pages that are touched, and none around them.
func (m Mapping) ReadSingly() {
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.From, m.To-m.From, unix.MADV_RANDOM) // it is but advice
}

func mappings() (all []Mapping, err error) {
	file, err := os.Open("/proc/self/maps")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var m Mapping
		var access string
		about, path, named := strings.Cut(lines.Text(), "/")
		if n, _ := fmt.Sscanf(about, "%x-%x %s %x", &m.From, &m.To, &access, &m.Offset); named && n == 4 {
			m.Path = "/" + path
			all = append(all, m)
		}
	}
	return all, lines.Err()
}

func readProgramSingly() {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	all, _ := mappings()
	for _, m := range all {
		if m.Path == program {
			m.ReadSingly()
		}
	}
}
