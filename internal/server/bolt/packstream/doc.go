// Package packstream is the binary form of values in Bolt's messages, version 2 of PackStream:
// a marker byte, then what it says follows.
//
//	C0 null · C2, C3 booleans · C1 float, 8 bytes
//	F0..7F integer of 4 bits and sign · C8, C9, CA, CB integer of 1, 2, 4, 8 bytes
//	80..8F, D0, D1, D2 string · 90..9F, D4, D5, D6 list · A0..AF, D8, D9, DA map
//	B0..BF structure: a tag byte says which, then come its fields
//
// Numbers are big-endian. Graph entities, temporal values and points are structures; two kinds
// of them differ by the version of Bolt, see Dialect.
package packstream
