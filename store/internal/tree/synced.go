package tree

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
	"github.com/penstock-db/penstock/internal/durable"
	"github.com/penstock-db/penstock/store/internal/layout"
)

// How a lost commit is noticed.
//
// Badger reads a log of its own up to the first record that is not whole, and takes that for the end.
// After a crash it mostly is. But a flipped bit there, or a lost file, takes commits with it that were
// acknowledged, without a word. So
//
//  1. each commit and each new snapshot gets a number, one more than the last, which its transaction writes under
//     layout.SequenceKey;
//  2. once it is synced, and before it is acknowledged, the number is written to SYNCED, a file of its own. That is
//     one write without a sync: what is there was synced before, whenever the system writes it;
//  3. Open compares: a tree whose number is below that in SYNCED has lost what was acknowledged.
//
// SYNCED is "penstock synced\n", the number (8 bytes, big-endian), and an xxhash64 of both.
const (
	SyncedFile = "SYNCED"
	SyncedHead = "penstock synced\n"
	syncedSize = len(SyncedHead) + 16
)

// sequence numbers commits and snapshots.
type sequence struct {
	writing sync.Mutex // held while a transaction writes its number: numbers ascend in the log
	last    uint64     // needs writing

	mu     sync.Mutex // protects synced
	synced uint64
	file   *os.File
}

// Commit has update write to the tree in one transaction and returns when that is on the disk, by sync: SyncAll, or
// SyncNames where all values are small. made tells whether the tree has the changes; with an error, they may be
// lost in a crash.
func (b *Badger) Commit(sync func() error, update func(txn *badger.Txn) error) (made bool, err error) {
	s := &b.sequence
	s.writing.Lock()
	number := s.last + 1
	err = b.Update(func(txn *badger.Txn) error {
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
	_, err := s.file.WriteAt(SyncedText(number), 0)
	return err
}

func SyncedText(number uint64) []byte {
	text := binary.BigEndian.AppendUint64([]byte(SyncedHead), number)
	return binary.BigEndian.AppendUint64(text, xxhash.Sum64(text))
}

// OpenSequence opens SYNCED in the directory of the database, to go on from the number last.
func (b *Badger) OpenSequence(dir string, last, synced uint64) (err error) {
	s := &b.sequence
	s.last, s.synced = last, synced
	s.file, err = os.OpenFile(filepath.Join(dir, SyncedFile), os.O_RDWR, 0)
	return err
}

// CloseSequence closes SYNCED, if it is open.
func (b *Badger) CloseSequence() error {
	if b.sequence.file == nil {
		return nil
	}
	return errors.Join(b.sequence.file.Sync(), b.sequence.file.Close())
}

// MakeSynced makes SYNCED for a database that has not counted a commit yet.
func MakeSynced(dir string) error {
	return durable.Replace(filepath.Join(dir, SyncedFile), SyncedText(0), 0o644)
}

// ReadSynced reads the number in SYNCED.
func ReadSynced(dir string) (number uint64, err error) {
	file, err := os.Open(filepath.Join(dir, SyncedFile))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, int64(syncedSize)+1))
	if err != nil {
		return 0, err
	}
	if len(text) != syncedSize || string(text[:len(SyncedHead)]) != SyncedHead {
		return 0, fmt.Errorf("%s is not what was written", SyncedFile)
	}
	number = binary.BigEndian.Uint64(text[len(SyncedHead):])
	if string(SyncedText(number)) != string(text) {
		return 0, fmt.Errorf("the checksum of %s does not match", SyncedFile)
	}
	return number, nil
}
