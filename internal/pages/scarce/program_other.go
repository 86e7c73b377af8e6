//go:build !linux

package scarce

// Prepare does nothing: how a program is read is known of Linux only.
func Prepare() {}

// Pieces is none.
func Pieces() int { return 0 }
