package snapshot

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/cespare/xxhash/v2"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// ReadStored reads a value that the snapshot names, as it is stored, and checks its checksums. It
// uses the memory of buffer if that is large enough.
//
// Errors: *DamagedError.
func (s *Snapshot) ReadStored(ctx context.Context, v manifest.Stored, buffer []byte) (value []byte, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = s.view(func(t tree.Tree) error {
		return t.Read(v.Key, func(mapped []byte) error {
			if err := s.fetch(mapped); err != nil {
				return err
			}
			value = append(buffer[:0], mapped...)
			return nil
		})
	})
	if err == nil {
		err = v.Check(value)
	}
	if err != nil {
		return nil, &failure.DamagedError{Graph: s.manifest.Graph, Kind: v.Kind, Number: int64(v.Number), Err: err}
	}
	return value, nil
}

// FingerprintStored is the Fingerprint of a value, of which it reads two pages.
//
// Errors: *DamagedError.
func (s *Snapshot) FingerprintStored(v manifest.Stored) (print uint64, err error) {
	err = s.view(func(t tree.Tree) error {
		return t.Read(v.Key, func(value []byte) error {
			print = Fingerprint(v.Key, value)
			return nil
		})
	})
	if err != nil {
		return 0, &failure.DamagedError{Graph: s.manifest.Graph, Kind: v.Kind, Number: int64(v.Number), Err: err}
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
	parts, _, err := layout.CommitHead(head, value)
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
	key = layout.LogKey(s.manifest.LogID(), commit, part)
	err = s.view(func(t tree.Tree) error {
		return t.Read(key, func(mapped []byte) error {
			value = append([]byte(nil), mapped...)
			_, err := layout.Unseal(key, value)
			return err
		})
	})
	return key, value, err
}
