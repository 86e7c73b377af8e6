package pages

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Mapping is a part of a file in this process's memory.
type Mapping struct {
	From, To uintptr
	Offset   int64 // of From, in the file
	Path     string
}

// Find finds the mapping of a file at an address; os.ErrNotExist when there is none.
func Find(address uintptr) (Mapping, error) { return new(Finder).Find(address) }

// at is the one of these mappings that has an address.
func at(all []Mapping, address uintptr) (Mapping, bool) {
	i := slices.IndexFunc(all, func(m Mapping) bool { return m.From <= address && address < m.To })
	if i < 0 {
		return Mapping{}, false
	}
	return all[i], true
}

// Finder is Find for many addresses: it remembers the mappings, which are long to read. What
// it finds may have changed since.
type Finder struct {
	mu    sync.Mutex // protects known
	known []Mapping
}

// Find finds the mapping of a file at an address; os.ErrNotExist when there is none.
func (f *Finder) Find(address uintptr) (Mapping, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if m, ok := at(f.known, address); ok {
		return m, nil
	}
	var err error
	f.known, err = mappings()
	if m, ok := at(f.known, address); ok {
		return m, err
	}
	return Mapping{}, os.ErrNotExist
}

// Forget has the finder read the mappings anew.
func (f *Finder) Forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known = nil
}

// ReadSingly has the system read the pages that are touched, and none around them.
func (m Mapping) ReadSingly() {
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.From, m.To-m.From, unix.MADV_RANDOM) // it is but advice
}

// readAhead has the system read all of it, in its order, which takes a small part of the
// time that page by page takes.
func (m Mapping) readAhead() {
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.From, m.To-m.From, unix.MADV_WILLNEED) // it is but advice
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
			m.readAhead()
			m.ReadSingly()
		}
	}
}
