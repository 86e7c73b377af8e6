package pages

import "golang.org/x/sys/unix"

// Scratch is zeroed memory that the garbage collector does not see: a page of it takes memory once it is written to.
func Scratch(bytes int) ([]byte, error) {
	return unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

// Free gives a Scratch up, which must not be looked at any more.
func Free(scratch []byte) { _ = unix.Munmap(scratch) } // which Scratch has mapped
