package lsm

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// listing is which files of each kind there are, ascending.
type listing struct {
	tables    []uint64
	memtables []uint64
	logs      []uint32
}

func (l *listing) any() bool { return len(l.tables)+len(l.memtables)+len(l.logs) > 0 }

func list(dir string) (*listing, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	l := &listing{}
	for _, e := range entries {
		stem, kind, _ := strings.Cut(e.Name(), ".")
		n, err := strconv.ParseUint(stem, 10, 64)
		if err != nil {
			continue
		}
		switch {
		case kind == "sst":
			l.tables = append(l.tables, n)
		case kind == "mem":
			l.memtables = append(l.memtables, n)
		case kind == "vlog" && n <= math.MaxUint32:
			l.logs = append(l.logs, uint32(n))
		}
	}
	slices.Sort(l.tables)
	slices.Sort(l.memtables)
	slices.Sort(l.logs)
	return l, nil
}

func tablePath(dir string, id uint64) string { return filepath.Join(dir, fmt.Sprintf("%06d.sst", id)) }
func memtablePath(dir string, id uint64) string {
	return filepath.Join(dir, fmt.Sprintf("%05d.mem", id))
}
func logPath(dir string, id uint32) string { return filepath.Join(dir, fmt.Sprintf("%06d.vlog", id)) }
