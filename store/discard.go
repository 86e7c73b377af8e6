package store

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// prefer has Badger take a log when it rewrites one next: it takes the log of which it has
// counted the most discarded bytes, in a file that it maps, so that it sees what is written
// there. The file has a slot of 16 bytes for a log, number and count, and Badger makes the
// slot when it first counts anything; false: there is none yet.
func prefer(dir string, number uint64) (bool, error) {
	file, err := os.OpenFile(filepath.Join(dir, "DISCARD"), os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer file.Close()
	const more = 1 << 48 // than any count
	slot := make([]byte, 16)
	for at := int64(0); ; at += 16 {
		if _, err := file.ReadAt(slot, at); err != nil {
			return false, err
		}
		switch binary.BigEndian.Uint64(slot) {
		case 0:
			return false, nil
		case number:
			_, err := file.WriteAt(binary.BigEndian.AppendUint64(nil, more), at+8)
			return err == nil, err
		}
	}
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
