package mega

import "unsafe"

// prefetch has the processor bring so many bytes into its cache, and does not wait for them.
//
//go:noescape
func prefetch(at unsafe.Pointer, bytes uintptr)
