package encoding

import "encoding/binary"

// flatbuffer reads a finished flatbuffer (Arrow's messages are such) and checks every
// offset against the buffer's bounds. Once something was out of bounds or missing, bad
// is set and all reads give zero; callers look at it once, at the end.
type flatbuffer struct {
	bytes []byte
	bad   bool
}

// table is a flatbuffers table: fields found through a vtable of 16-bit offsets.
type table struct {
	in         *flatbuffer
	at, vtable int
}

// at is n bytes at a position; zeroes when they are out of bounds.
func (f *flatbuffer) at(pos, n int) []byte {
	if f.bad || pos < 0 || n < 0 || pos > len(f.bytes)-n {
		f.bad = true
		return make([]byte, min(max(n, 0), 8))
	}
	return f.bytes[pos : pos+n]
}

func (f *flatbuffer) uint16(pos int) int { return int(binary.LittleEndian.Uint16(f.at(pos, 2))) }
func (f *flatbuffer) uint32(pos int) int { return int(binary.LittleEndian.Uint32(f.at(pos, 4))) }

func (f *flatbuffer) root() table { return f.tableAt(0) }

// tableAt follows the offset at pos to a table.
func (f *flatbuffer) tableAt(pos int) table {
	at := pos + f.uint32(pos)
	return table{in: f, at: at, vtable: at - int(int32(f.uint32(at)))}
}

// vectorAt follows the offset at pos to a vector, and gives its elements' bytes and count.
func (f *flatbuffer) vectorAt(pos, width int) ([]byte, int) {
	at := pos + f.uint32(pos)
	n := f.uint32(at)
	bytes := f.at(at+4, n*width)
	if f.bad {
		return nil, 0
	}
	return bytes, n
}

// slot is the position of a field, or -1 when the table leaves it out.
func (t table) slot(i int) int {
	entry := 4 + 2*i
	if entry+2 > t.in.uint16(t.vtable) {
		return -1
	}
	offset := t.in.uint16(t.vtable + entry)
	if offset == 0 {
		return -1
	}
	return t.at + offset
}

// integer is a signed field of 1, 2, 4 or 8 bytes, which must be there.
func (t table) integer(i, width int) int64 {
	b := t.in.at(t.slot(i), width)
	switch width {
	case 1:
		return int64(b[0])
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(b)))
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(b)))
	}
	return int64(binary.LittleEndian.Uint64(b))
}

// table is a field that is a table, which must be there.
func (t table) table(i int) table { return t.in.tableAt(t.slot(i)) }

// text is a string field; empty when it is left out.
func (t table) text(i int) string {
	pos := t.slot(i)
	if pos < 0 {
		return ""
	}
	bytes, _ := t.in.vectorAt(pos, 1)
	return string(bytes)
}

// structs is a field that is a vector of structs of two int64, which must be there.
func (t table) structs(i int) [][2]int64 {
	bytes, n := t.in.vectorAt(t.slot(i), 16)
	pairs := make([][2]int64, n)
	for k := range pairs {
		pairs[k][0] = int64(binary.LittleEndian.Uint64(bytes[16*k:]))
		pairs[k][1] = int64(binary.LittleEndian.Uint64(bytes[16*k+8:]))
	}
	return pairs
}

// tables is a field that is a vector of tables, which must be there.
func (t table) tables(i int) []table {
	pos := t.slot(i)
	bytes, n := t.in.vectorAt(pos, 4)
	tables := make([]table, len(bytes)/4)
	start := pos + t.in.uint32(pos) + 4
	for k := range n {
		tables[k] = t.in.tableAt(start + 4*k)
	}
	return tables
}
