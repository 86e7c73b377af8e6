// Package rows holds rows beyond the one that a frame has: in memory (Kept), without duplicates (Set),
// and in temporary files (Spool), where operators go on that memory has no room for.
package rows
