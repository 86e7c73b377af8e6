package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/layout"
)

// How a lost commit is noticed.
//
// Badger reads a log of its own up to the first record that is not whole, and takes that for the end.
// After a crash it mostly is. But a flipped bit there, or a lost file, takes commits with it that were
// acknowledged, without a word. So
//
//  1. each commit and each new snapshot gets a number, one more than the last, which its transaction writes under
//     sequenceKey;
//  2. once it is synced, and before it is acknowledged, the number is written to SYNCED, a file of its own. That is
//     one write without a sync: what is there was synced before, whenever the system writes it;
//  3. Open compares: a tree whose number is below that in SYNCED has lost what was acknowledged.
//
// SYNCED is "penstock synced\n", the number (8 bytes, big-endian), and an xxhash64 of both.
const (
	syncedFile = "SYNCED"
	syncedHead = "penstock synced\n"
	syncedSize = len(syncedHead) + 16
)

// sequence numbers commits and snapshots.
type sequence struct {
	writing sync.Mutex // held while a transaction writes its number: numbers ascend in the log
	last    uint64     // needs writing

	mu     sync.Mutex // protects synced
	synced uint64
	file   *os.File
}

// commit has update write to the tree in one transaction and returns when that is on the disk, by sync: db.sync, or
// db.syncNames where all values are small. made tells whether the tree has the changes; with an error, they may be
// lost in a crash.
func (db *DB) commit(sync func() error, update func(txn *badger.Txn) error) (made bool, err error) {
	s := &db.sequence
	s.writing.Lock()
	number := s.last + 1
	err = db.badger.Update(func(txn *badger.Txn) error {
		if err := update(txn); err != nil {
			return err
		}
		return txn.Set(layout.SequenceKey, layout.Seal(layout.SequenceKey, binary.BigEndian.AppendUint64(nil, number)))
	})
	if err == nil {
		s.last = number
	}
	s.writing.Unlock()
	if err != nil {
		return false, err
	}
	if err := sync(); err != nil {
		return true, err
	}
	return true, s.acknowledge(number)
}

// acknowledge notes that all up to number is synced.
func (s *sequence) acknowledge(number uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if number <= s.synced {
		return nil
	}
	s.synced = number
	_, err := s.file.WriteAt(syncedText(number), 0)
	return err
}

func syncedText(number uint64) []byte {
	text := binary.BigEndian.AppendUint64([]byte(syncedHead), number)
	return binary.BigEndian.AppendUint64(text, xxhash.Sum64(text))
}

// open opens SYNCED to go on from number.
func (s *sequence) open(dir string, last, synced uint64) (err error) {
	s.last, s.synced = last, synced
	s.file, err = os.OpenFile(filepath.Join(dir, syncedFile), os.O_RDWR, 0)
	return err
}

func (s *sequence) close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Sync(), s.file.Close())
}

// readSynced reads the number in SYNCED.
func readSynced(dir string) (number uint64, err error) {
	file, err := os.Open(filepath.Join(dir, syncedFile))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, int64(syncedSize)+1))
	if err != nil {
		return 0, err
	}
	if len(text) != syncedSize || string(text[:len(syncedHead)]) != syncedHead {
		return 0, fmt.Errorf("%s is not what was written", syncedFile)
	}
	number = binary.BigEndian.Uint64(text[len(syncedHead):])
	if string(syncedText(number)) != string(text) {
		return 0, fmt.Errorf("the checksum of %s does not match", syncedFile)
	}
	return number, nil
}
