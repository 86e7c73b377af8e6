// Package lsm reads the files of a Badger directory without Badger, and changes none of them.
//
//	MANIFEST ─names─▶ 000001.sst …   tables: sorted keys, small values, pointers
//	00001.mem …                      logs of memtables: what no table has yet
//	000001.vlog …                    value logs: the large values that pointers lead to
//	         │
//	         ▼
//	Open ──▶ Files: every key's newest version, and all Damage that was found on the way
//
// Badger itself cannot be asked whether its files are whole. An iterator that meets a damaged
// block ends without an error, a table with a bad index is left out, a log is cut off at its first bad record, and
// a lost MANIFEST makes an empty database whose tables are then deleted. So what is on the disk is proven
// here before Badger opens it. The same reader serves read-only databases, and Salvage reads
// whatever is left of damaged ones.
//
// # How the files are proven
//
//  1. MANIFEST: each change set has a CRC-32C (manifest.go). An incomplete last set is the torn end of a crash.
//  2. Tables that it names: index and each block have a checksum (index.go, table.go).
//  3. Logs of memtables: each record has a CRC-32C; a transaction counts when its end record is there.
//     A log ends before its first bad record, as Badger reads it (log.go).
//  4. The newest value log is read up to its first bad record, where Badger cuts it off; the others are only
//     measured. Check tells whether a key's value lies before that end (valuelog.go). Verification reads all in full.
//
// A log that ends early is no proof of damage, nor of the contrary: after a power failure its end may be torn. Which
// keys must be there is for package store to say, which counts its commits and keeps a catalog.
//
// No bytes make it panic or take more than a small multiple of memory, whatever their checksums say: every length and
// offset is checked against what there is. Open holds one table at a time and about 100 bytes for each key.
package lsm
