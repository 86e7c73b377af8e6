package pages

import (
	"bufio"
	"errors"
	"os"
	"slices"
	"strconv"
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

func mappings() (all []Mapping, err error) {
	file, err := os.Open("/proc/self/maps")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if m, ok := parse(lines.Text()); ok {
			all = append(all, m)
		}
	}
	return all, lines.Err()
}

// parse reads a line of /proc/self/maps, "from-to access offset device inode path", numbers in hexadecimal; false: no
// file is mapped there.
func parse(line string) (m Mapping, ok bool) {
	about, path, named := strings.Cut(line, "/")
	fields := strings.Fields(about)
	if !named || len(fields) < 3 {
		return m, false
	}
	first, last, _ := strings.Cut(fields[0], "-")
	from, err := strconv.ParseUint(first, 16, 64)
	to, toErr := strconv.ParseUint(last, 16, 64)
	offset, offsetErr := strconv.ParseInt(fields[2], 16, 64)
	m = Mapping{From: uintptr(from), To: uintptr(to), Offset: offset, Path: "/" + path}
	return m, errors.Join(err, toErr, offsetErr) == nil
}
