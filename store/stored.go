package store

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
)

// Stored is one value that a snapshot names: a chunk or a block of a column. Nobody ever
// changes it, and it has the same key in every copy of the database.
type Stored struct {
	Key []byte

	kind   string // what to call it in an error
	number uint32
	check  func(value []byte) error
}

// Stored yields all values that the manifest names.
func (m *Manifest) Stored() iter.Seq[Stored] {
	return func(yield func(Stored) bool) {
		for _, list := range [][]ChunkInfo{m.Out, m.In, m.Both} {
			for _, info := range list {
				if !yield(info.stored()) {
					return
				}
			}
		}
		for _, c := range m.columns() {
			for number := range uint32((c.Rows + blockRows - 1) / blockRows) {
				if !yield(c.stored(number)) {
					return
				}
			}
		}
	}
}

func (info ChunkInfo) stored() Stored {
	return Stored{Key: info.piece().Key(info.Number), kind: info.Direction.String() + "-chunk", number: info.Number, check: info.checkStored}
}

// checkStored checks every checksum of a chunk, wherever in memory it lies.
func (info ChunkInfo) checkStored(value []byte) error {
	c, err := chunk.OpenUnaligned(value)
	if err != nil {
		return err
	}
	defer c.Release()
	return errors.Join(info.check(c.Meta()), c.Verify())
}

func (c namedColumn) stored(number uint32) Stored {
	key := c.piece().Key(number)
	return Stored{Key: key, kind: c.name + " column, block", number: number, check: func(value []byte) error {
		_, err := layout.Unseal(key, value)
		return err
	}}
}

// ReadStored reads a value that the snapshot names, as it is stored, and checks its checksums. It
// uses the memory of buffer if that is large enough.
//
// Errors: *DamagedError.
func (s *Snapshot) ReadStored(ctx context.Context, v Stored, buffer []byte) (value []byte, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = s.db.view(func(t tree) error {
		return t.get(v.Key, func(mapped []byte) error {
			value = append(buffer[:0], mapped...)
			return s.db.fetch(mapped)
		})
	})
	if err == nil {
		err = v.check(value)
	}
	if err != nil {
		return nil, &failure.DamagedError{Graph: s.manifest.Graph, Kind: v.kind, Number: int64(v.number), Err: err}
	}
	return value, nil
}

// FingerprintStored is the Fingerprint of a value, of which it reads two pages.
//
// Errors: *DamagedError.
func (s *Snapshot) FingerprintStored(v Stored) (print uint64, err error) {
	err = s.db.view(func(t tree) error {
		return t.get(v.Key, func(value []byte) error {
			print = Fingerprint(v.Key, value)
			return nil
		})
	})
	if err != nil {
		return 0, &failure.DamagedError{Graph: s.manifest.Graph, Kind: v.kind, Number: int64(v.number), Err: err}
	}
	return print, nil
}

// fingerprinted is how much of both ends a Fingerprint looks at.
const fingerprinted = 64

// Fingerprint tells a value from others under the same key. It looks at both ends alone: sealed
// values begin with their checksum, and chunks end with one that stands for all of theirs.
func Fingerprint(key, value []byte) uint64 {
	d := xxhash.New()
	_, _ = d.Write(key) // never fails
	_, _ = d.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(value))))
	_, _ = d.Write(value[:min(fingerprinted, len(value))])
	_, _ = d.Write(value[max(0, len(value)-fingerprinted):])
	return d.Sum64()
}

// ReadStoredCommit yields the values of a commit of the snapshot's log, as they are stored: the
// head, then its parts. At most one, of about 1 MiB, is in memory.
//
// Errors: *DamagedError.
func (s *Snapshot) ReadStoredCommit(ctx context.Context, number uint64, yield func(key, value []byte) error) error {
	damaged := func(err error) error {
		return &failure.DamagedError{Graph: s.manifest.Graph, Kind: "log, commit", Number: int64(number), Err: err}
	}
	head, value, err := s.readStoredPart(number, 0)
	if err != nil {
		return damaged(err)
	}
	parts, _, err := CommitHead(head, value)
	if err != nil {
		return damaged(err)
	}
	if err := yield(head, value); err != nil {
		return err
	}
	for part := range parts {
		key, value, err := s.readStoredPart(number, uint32(part+1))
		if err != nil {
			return damaged(err)
		}
		if err := errors.Join(ctx.Err(), yield(key, value)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Snapshot) readStoredPart(commit uint64, part uint32) (key, value []byte, err error) {
	key = layout.LogKey(s.manifest.log(), commit, part)
	err = s.db.view(func(t tree) error {
		return t.get(key, func(mapped []byte) error {
			value = append([]byte(nil), mapped...)
			_, err := layout.Unseal(key, value)
			return err
		})
	})
	return key, value, err
}

// CommitOf tells which part of which commit of a log a key names; part 0 is the head.
func CommitOf(key []byte) (log, commit uint64, part uint32, ok bool) { return layout.ParseLogKey(key) }

// CommitHead reads the stored head of a commit: how many parts follow it, and when it was
// committed; zero: an older penstock has written it, which did not say.
func CommitHead(key, value []byte) (parts uint64, at time.Time, err error) {
	head, err := layout.Unseal(key, value)
	if err != nil {
		return 0, at, err
	}
	parts, at, _, err = parseHead(head)
	return parts, at, err
}

// LogID is the number of the log of commits that change the snapshot.
func (m *Manifest) LogID() uint64 { return m.log() }

// EncodeManifest and DecodeManifest are how a manifest is stored.
func EncodeManifest(m *Manifest) ([]byte, error) { return encodeManifest(m) }

// DecodeManifest is the inverse of EncodeManifest. It refuses manifests of later versions.
func DecodeManifest(data []byte) (*Manifest, error) { return decodeManifest(data) }
