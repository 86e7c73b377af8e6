package store

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// rewriteSpace is how many bytes Badger may write when it gives back the space of a
// value log: what is still in use of the log that it would take next, the one with
// the most discarded bytes, and its tree of keys and small values. Badger itself does
// not ask whether they are free.
func rewriteSpace(dir string) (uint64, error) {
	tree, err := treeSize(dir)
	if err != nil {
		return 0, err
	}
	newest, _, err := newestLog(dir)
	if err != nil {
		return 0, err
	}
	stats, err := os.ReadFile(filepath.Join(dir, "DISCARD"))
	if err != nil {
		return 0, err
	}
	var most, used uint64
	for ; len(stats) >= 16; stats = stats[16:] { // number of a log, its discarded bytes
		number, dead := binary.BigEndian.Uint64(stats), binary.BigEndian.Uint64(stats[8:])
		if dead <= most || number == newest {
			continue
		}
		info, err := os.Stat(logPath(dir, number))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		most, used = dead, uint64(info.Size())-min(dead, uint64(info.Size()))
	}
	return tree + used, nil
}

// treeSize is the size of Badger's tables.
func treeSize(dir string) (size uint64, err error) {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".sst" {
			continue
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // compacted meanwhile
		}
		if err != nil {
			return 0, err
		}
		size += uint64(info.Size())
	}
	return size, err
}
