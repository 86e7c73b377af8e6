package tree

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// discardFile is where Badger counts the discarded bytes of value logs: slots of 16 bytes, the log's
// number and the count, in the order of numbers, up to one of number 0.
const (
	DiscardFile = "DISCARD"
	slotSize    = 16
)

// Prefer has Badger take a log when it rewrites one next: it takes the log of which it has
// counted the most, in a file that it maps, so that it sees what is written there. It makes the
// slot when it first counts anything of the log; false: it has not.
func Prefer(dir string, number uint64) (bool, error) {
	file, err := os.OpenFile(filepath.Join(dir, DiscardFile), os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer file.Close()
	const more = 1 << 48 // than any count
	numbers, err := slots(file)
	at := slices.Index(numbers, number)
	if err != nil || at < 0 {
		return false, err
	}
	_, err = file.WriteAt(binary.BigEndian.AppendUint64(nil, more), int64(at)*slotSize+8)
	return err == nil, err
}

// slots are the numbers of the logs that have one.
func slots(file io.ReaderAt) (numbers []uint64, err error) {
	for slot := make([]byte, slotSize); ; {
		if _, err := file.ReadAt(slot, int64(len(numbers))*slotSize); errors.Is(err, io.EOF) {
			return numbers, nil // Badger makes the file longer
		} else if err != nil {
			return nil, err
		}
		number := binary.BigEndian.Uint64(slot)
		if number == 0 {
			return numbers, nil
		}
		numbers = append(numbers, number)
	}
}

// addSlots makes slots for all logs; Badger must be closed. The counts may have been lost in a power failure.
func addSlots(dir string) error {
	file, err := os.OpenFile(filepath.Join(dir, DiscardFile), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	have, err := slots(file)
	if err != nil {
		return err
	}
	logs, err := LogNumbers(dir)
	if err != nil || !slices.ContainsFunc(logs, func(n uint64) bool { return !slices.Contains(have, n) }) {
		return err
	}
	var text []byte
	for _, n := range logs {
		text = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(text, n), 0)
	}
	info, err := file.Stat()
	if err != nil || int64(len(text))+slotSize > info.Size() {
		return err
	}
	_, err = file.WriteAt(append(text, make([]byte, max(slotSize, slotSize*(len(have)-len(logs))))...), 0)
	return err
}

// TableBytes is the size of Badger's tables.
func TableBytes(dir string) (size uint64, err error) {
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
