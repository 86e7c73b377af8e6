//go:build !linux

package snapshot

// finder finds nothing: only Linux tells which file is mapped where.
type finder struct{}

func (r *Reader) place([]byte) (Place, bool) { return Place{}, false }
