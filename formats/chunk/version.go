package chunk

// Version is the format that EncodeTo writes. Open reads every version up to it.
//
//	1: the first. Arrow IPC stream, one record batch, xxhash64 of each buffer in the schema metadata, 56-byte trailer.
//	2: XXH3 of each buffer, which is checked at several times the speed.
const Version = 2

// alignment of every body buffer, and of a chunk itself, in bytes: a cache line, and the widest vector register.
const alignment = 64

func align(n int) int { return (n + alignment - 1) &^ (alignment - 1) }
