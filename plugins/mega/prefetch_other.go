//go:build !amd64

package mega

import "unsafe"

// prefetch does nothing where nothing has been measured.
func prefetch(unsafe.Pointer, uintptr) {}
