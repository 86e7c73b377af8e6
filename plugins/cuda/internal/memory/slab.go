// Package memory divides memory of the card, and shows the host's as the bytes that are copied.
//
//	Slab    parts are placed, their sum is charged, one allocation has room for all    (slab.go)
//	Space   parts of one allocation are taken and given back in any order              (space.go)
//	Bytes, BytesOf, AddressOf   values ──▶ what a copy takes                           (bytes.go)
package memory

// slabAlign suits every load, and the kernels' wide ones.
const slabAlign = 256

// Slab divides one allocation: first everything is placed, and the sum charged; then it is allocated.
type Slab struct{ Bytes uint64 }

// Place is the offset of a part of so many bytes.
func (s *Slab) Place(bytes uint64) (offset uint64) {
	offset = s.Bytes
	s.Bytes += (bytes + slabAlign - 1) / slabAlign * slabAlign
	return offset
}
