// Package archivetest makes archives that package archive would not make.
package archivetest

import "encoding/binary"

// block is how many bytes a block of Zstandard may have.
const block = 128 << 10

// Stored is a text as Zstandard, without any compression or checksum, so that fuzzing meets what is behind it: RFC
// 8878, section 3.1.1.
func Stored(text []byte) []byte {
	const magic, singleSegment, sizeOf4Bytes = 0xfd2fb528, 1 << 5, 2 << 6
	out := binary.LittleEndian.AppendUint32(nil, magic)
	out = append(out, singleSegment|sizeOf4Bytes)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
	for last := false; !last; {
		n := min(len(text), block)
		last = n == len(text)
		header := uint32(n) << 3 // of a raw block
		if last {
			header |= 1
		}
		out = append(append(out, byte(header), byte(header>>8), byte(header>>16)), text[:n]...)
		text = text[n:]
	}
	return out
}
