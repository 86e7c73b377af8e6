package snapshot

import "context"

// Putter takes values under their keys; the caller must not touch them again.
type Putter interface {
	Put(key, value []byte) error
}

// CopyTo puts all values of the snapshot, and the commits 1 to commits of its log, into another
// database. Each is checked on the way; the first that is not right ends it.
//
// Errors: *DamagedError, *DiskFullError.
func (s *Snapshot) CopyTo(ctx context.Context, in Putter, commits uint64) error {
	for v := range s.manifest.Stored() {
		value, err := s.ReadStored(ctx, v, nil)
		if err != nil {
			return err
		}
		if err := in.Put(v.Key, value); err != nil {
			return err
		}
	}
	for number := range commits {
		if err := s.ReadStoredCommit(ctx, number+1, in.Put); err != nil {
			return err
		}
	}
	return nil
}
