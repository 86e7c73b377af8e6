// Package supply gets chunks from the store to where a device reads them: a range of the arena that both share, or the
// store's own file.
//
//	snapshot ──locate───────────────▶ Place in a file    (a device that maps files)
//	         ──read, check, copy────▶ Place in the arena (any other)
//	packed copy ──read, unpack──────▶ Place in the arena (chunks that were read from the disk before)
//	         ──view──▶ chunk, to cut lists out of
//
// A range belongs to the reader until the chunk is in it, its checksum is right and no edge lacks a value. Cache
// remembers which chunks are in place, from one run to the next. Two goroutines read at once (order.go); all memory
// that they use is the arena's, and of each a buffer of one chunk where edge columns are left out. Where lists are
// taken out of chunks past the system's cache, they have memory of their own, and of a buffer of one chunk each
// goroutine has the pages that it reads (take.go).
package supply
