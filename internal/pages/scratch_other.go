//go:build !linux

package pages

// Scratch is zeroed memory.
func Scratch(bytes int) ([]byte, error) { return make([]byte, bytes), nil }

// Free gives a Scratch up.
func Free([]byte) {}
