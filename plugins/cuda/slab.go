package cuda

// slabAlign suits every load, and the kernels' wide ones.
const slabAlign = 256

// slab divides one allocation: first everything is placed, and the sum charged; then it is allocated.
type slab struct{ bytes uint64 }

// place is the offset of a part of so many bytes.
func (s *slab) place(bytes uint64) (offset uint64) {
	offset = s.bytes
	s.bytes += (bytes + slabAlign - 1) / slabAlign * slabAlign
	return offset
}
