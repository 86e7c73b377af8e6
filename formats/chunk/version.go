package chunk

import "github.com/penstock-db/penstock/formats/chunk/internal/encoding"

// Version is the format that EncodeTo writes. Open reads every version up to it.
//
//	1: the first. Arrow IPC stream, one record batch, xxhash64 of each buffer in the schema metadata, 56-byte trailer.
//	2: XXH3 of each buffer, which is checked at several times the speed.
//	3: a header of little more than half the bytes: metadata in one line, no checksums of empty buffers.
const Version = encoding.Version

// Aligned is a fresh, zeroed buffer of n bytes that starts at a multiple of 64.
func Aligned(n int) []byte { return encoding.Aligned(n) }
