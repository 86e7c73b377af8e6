// Package packed keeps copies of chunks that take less of the disk than the chunks do, for a run that reads the same
// chunks from it over and over because the memory has no room for them.
//
//		chunk, read again ──if it pays──▶ pack ──▶ a file without a name ──▶ the end of a slot ──unpack──▶ its beginning
//
//	 1. A chunk is 32-bit words, most of them offsets and neighbors. Both rise slowly, so that a word is stored as its
//	    difference from the one before it, in one to four bytes. How many is two bits of a control byte, and the control
//	    bytes of a block stand before its differences: Stream VByte (Lemire, Kurz, Rupp 2018), which unpacks without a
//	    branch that depends on the data. See codec.go.
//	 2. A list begins below where the one before it ended. In blocks where that is frequent, as on road maps, the sign of
//	    a difference is its lowest bit. A block that would not become smaller stays as it is, as weights do.
//	 3. A copy is read to the end of the slot that its chunk is wanted in, and unpacked to the slot's beginning, block by
//	    block. What has been unpacked never reaches what has not: so no other memory is needed. To make one takes
//	    256 KiB of each reader.
//	 4. Whether a copy pays is measured, see rates.go. A copy is compared with the checksum of what was packed. One that
//	    differs is given up, and its chunk read again; nothing but the disk's rate depends on copies.
package packed
