//go:build !linux

package store

// finder finds nothing: only Linux tells which file is mapped where.
type finder struct{}

func (db *DB) place([]byte) (Place, bool) { return Place{}, false }
