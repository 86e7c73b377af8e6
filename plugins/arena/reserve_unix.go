//go:build unix && !linux

package arena

import "os"

// reserve has blocks of the disk stand behind so many bytes of a file: a page of a mapped file for which there is none
// ends the program that writes it.
func reserve(f *os.File, size uint64) error { return zeroes(f, size) }
