// Package arena is the memory that a host and its plugin processes share: one region,
// mapped once by each side. Chunks and vertex columns lie in it; the wire carries
// offsets only.
//
//	host:   Create ──Ref──▶ (gRPC) ──▶ plugin: Open      the same bytes in both
//	host:   Region.Alloc ──Range──▶ (gRPC) ──▶ plugin: Arena.Bytes
//
// What lies in a file of the host's already need not be copied: a plugin that can maps the
// file beside the arena, read-only (Arena.File).
//
// The region has no name in any file system where the platform allows it (memfd), so
// nothing is left behind when both processes die.
package arena

import (
	"errors"
	"fmt"
	"os"
)

// Align is the alignment in bytes of everything that is placed in an arena.
const Align = 64

// Range is a place in an arena, or in a file, in bytes.
type Range struct {
	Offset, Length uint64
}

// End is the first byte after the range.
func (r Range) End() uint64 { return r.Offset + r.Length }

// Ref tells another process how to map an arena.
type Ref struct {
	Path string
	Size uint64
}

// Arena is a mapped region of shared memory.
type Arena struct {
	ref   Ref
	bytes []byte
	file  os.FileInfo // which file it is, whatever its path names by now
	close func() error
	files files
}

// RangeError is a Range that does not lie in the arena, or the file, or is not aligned.
type RangeError struct {
	File  string // empty: the arena
	Range Range
	Size  uint64
	Align uint64
}

func (e *RangeError) Error() string {
	if e.File != "" {
		return fmt.Sprintf("range [%d, +%d) is not within the %d bytes of file %s", e.Range.Offset, e.Range.Length, e.Size,
			e.File)
	}
	return fmt.Sprintf("arena range [%d, +%d) is not within %d bytes at alignment %d",
		e.Range.Offset, e.Range.Length, e.Size, e.Align)
}

// SizeError is a size that no arena can have, or a file at Path too short to hold the arena.
type SizeError struct {
	Path       string // of Open; empty: of Create
	Want, Have uint64 // bytes
}

func (e *SizeError) Error() string {
	if e.Path != "" {
		return fmt.Sprintf("arena %s has %d bytes; %d were announced", e.Path, e.Have, e.Want)
	}
	return fmt.Sprintf("an arena cannot have %d bytes", e.Want)
}

// Ref is what another process passes to Open.
func (a *Arena) Ref() Ref { return a.ref }

// Is tells whether ref leads to this very arena: then it need not be mapped again.
func (a *Arena) Is(ref Ref) bool {
	file, err := stat(ref.Path)
	return err == nil && ref.Size == a.ref.Size && os.SameFile(file, a.file)
}

// Size of the arena in bytes.
func (a *Arena) Size() uint64 { return uint64(len(a.bytes)) }

// Close unmaps the arena and its files. Neither it nor slices of them may be used
// afterwards, but closing it again does nothing.
func (a *Arena) Close() error { return errors.Join(a.close(), a.files.close()) }

// Bytes is the memory of r. It fails with a *RangeError when r is not wholly inside
// the arena or does not start on an Align boundary.
func (a *Arena) Bytes(r Range) ([]byte, error) {
	size := uint64(len(a.bytes))
	if r.Offset%Align != 0 || r.Offset > size || r.Length > size-r.Offset {
		return nil, &RangeError{Range: r, Size: size, Align: Align}
	}
	return a.bytes[r.Offset:r.End():r.End()], nil
}

// pages is the whole pages within r, which must be a range of the arena.
func (a *Arena) pages(r Range) []byte {
	page := uint64(os.Getpagesize())
	from, to := (r.Offset+page-1)/page*page, r.End()/page*page
	if from >= to || to > uint64(len(a.bytes)) {
		return nil
	}
	return a.bytes[from:to]
}
