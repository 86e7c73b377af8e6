//go:build !linux

package pages

// Scratch is zeroed memory.
func Scratch(bytes int) ([]byte, error) { return make([]byte, bytes), nil }

// Clear zeroes all of a Scratch.
func Clear(scratch []byte) { clear(scratch) }

// Free gives a Scratch up.
func Free([]byte) {}
