package encoding

import "fmt"

// CorruptError says that encoded bytes are not those that were written. The chunk
// must be read again from an undamaged copy.
type CorruptError struct {
	Part    string // which part of the encoding: "trailer", "header", "edges offsets" …
	Problem string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("chunk is damaged: %s: %s", e.Part, e.Problem)
}

// Corrupt is a *CorruptError.
func Corrupt(part, format string, args ...any) error {
	return &CorruptError{Part: part, Problem: fmt.Sprintf(format, args...)}
}

// VersionError says that a chunk was written by a later version of this package.
type VersionError struct {
	Found, Supported uint32
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("chunk has format version %d; this program reads up to %d: use a newer one", e.Found, e.Supported)
}

// BufferError says that the memory handed to Open or EncodeTo does not serve: it is
// too short or does not start at a multiple of 64 bytes. Aligned makes one that does.
type BufferError struct {
	Need, Have int // bytes
	Misaligned int // address modulo 64
}

func (e *BufferError) Error() string {
	if e.Misaligned != 0 {
		return fmt.Sprintf("buffer starts %d bytes after a multiple of %d: chunks need aligned memory", e.Misaligned,
			Alignment)
	}
	return fmt.Sprintf("buffer has %d bytes; the chunk needs %d", e.Have, e.Need)
}
