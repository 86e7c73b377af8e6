package packstream

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
	"unsafe"

	"github.com/penstock-db/penstock/formats/value"
)

// maxDepth is how deep lists, maps and structures may lie within each other.
const maxDepth = 256

// Decoder reads values from a message. What it allocates is bounded by the bytes that are
// there, whatever lengths they claim, and by a limit.
type Decoder struct {
	// Charge is asked for memory before it is allocated, some KiB at a time; nil: only the limit counts.
	Charge func(bytes int) error

	src   []byte
	at    int
	depth int
	limit int
	taken int   // bytes of memory, so far
	asked int   // bytes that Charge was asked for
	err   error // the first one; nothing is read after it
}

// NewDecoder reads from src; the values may take that many bytes of memory.
func NewDecoder(src []byte, limit int) *Decoder { return &Decoder{src: src, limit: limit} }

// Value reads the next value. Its strings are copies.
func (d *Decoder) Value() (value.Value, error) {
	v := d.value()
	return v, d.err
}

// Structure reads how a structure begins: its fields are the values that follow.
func (d *Decoder) Structure() (tag byte, fields int, err error) {
	marker := d.byte()
	if d.err == nil && marker&0xF0 != tinyStruct {
		d.fail("a structure should begin here, not %#x", marker)
	}
	return d.byte(), int(marker & 0x0F), d.err
}

// End fails when something is left.
func (d *Decoder) End() error {
	if d.err == nil && d.at < len(d.src) {
		d.fail("%d bytes are left over", len(d.src)-d.at)
	}
	return d.err
}

func (d *Decoder) value() value.Value {
	marker := d.byte()
	if d.err != nil {
		return value.Value{}
	}
	switch {
	case marker <= math.MaxInt8 || marker >= 0xF0:
		return value.OfInt(int64(int8(marker)))
	case marker < tinyList:
		return d.text(int(marker & 0x0F))
	case marker < tinyMap:
		return d.list(int(marker & 0x0F))
	case marker < tinyStruct:
		return d.entries(int(marker & 0x0F))
	case marker < null:
		return d.nested(func() value.Value { return d.structure(int(marker & 0x0F)) })
	}
	return d.long(marker)
}

// long reads what follows a marker without a length within.
func (d *Decoder) long(marker byte) value.Value {
	switch marker {
	case null:
		return value.Value{}
	case no, yes:
		return value.OfBool(marker == yes)
	case float:
		return value.OfFloat(math.Float64frombits(d.uint(8)))
	case int8bits:
		return value.OfInt(int64(int8(d.uint(1))))
	case int16bits:
		return value.OfInt(int64(int16(d.uint(2))))
	case int32bits:
		return value.OfInt(int64(int32(d.uint(4))))
	case int64bits:
		return value.OfInt(int64(d.uint(8)))
	case string8, string8 + 1, string8 + 2:
		return d.text(d.length(marker - string8))
	case list8, list8 + 1, list8 + 2:
		return d.list(d.length(marker - list8))
	case map8, map8 + 1, map8 + 2:
		return d.entries(d.length(marker - map8))
	case bytes8, bytes8 + 1, bytes8 + 2:
		return d.fail("byte arrays are no values of openCypher: send a list of integers, or a string")
	}
	return d.fail("%#x marks no value", marker)
}

func (d *Decoder) text(n int) value.Value { return value.OfString(d.str(n)) }

func (d *Decoder) str(n int) string {
	b := d.take(n)
	if !utf8.Valid(b) {
		d.fail("a string is not UTF-8")
		return ""
	}
	if d.charge(n); d.err != nil {
		return ""
	}
	return string(b)
}

func (d *Decoder) list(n int) value.Value {
	if !d.claim(n, 1, unsafe.Sizeof(value.Value{})) {
		return value.Value{}
	}
	return d.nested(func() value.Value {
		elements := make([]value.Value, n)
		for i := 0; i < n && d.err == nil; i++ {
			elements[i] = d.value()
		}
		return value.OfList(elements)
	})
}

func (d *Decoder) entries(n int) value.Value {
	if !d.claim(n, 2, unsafe.Sizeof(value.Entry{})) {
		return value.Value{}
	}
	return d.nested(func() value.Value {
		entries := make([]value.Entry, n)
		for i := 0; i < n && d.err == nil; i++ {
			entries[i] = value.Entry{Key: d.key(), Value: d.value()}
		}
		return d.unique(value.OfEntries(entries))
	})
}

func (d *Decoder) key() string {
	v := d.value()
	if v.Kind() != value.String {
		d.fail("a key of a map should be a string, not of type %s", v.Kind())
		return ""
	}
	return v.Str()
}

// unique is a map whose keys differ.
func (d *Decoder) unique(m value.Value) value.Value {
	entries := m.Map()
	for i := 1; i < len(entries) && d.err == nil; i++ {
		if entries[i].Key == entries[i-1].Key {
			return d.fail("a map has the key %q twice", entries[i].Key)
		}
	}
	return m
}

// nested reads what holds other values.
func (d *Decoder) nested(read func() value.Value) value.Value {
	if d.depth++; d.depth > maxDepth {
		return d.fail("values lie within each other deeper than %d", maxDepth)
	}
	v := read()
	d.depth--
	return v
}

// claim tells whether n elements can be there, of at least so many bytes each, and may take
// the memory.
func (d *Decoder) claim(n, bytes int, memory uintptr) bool {
	if n > (len(d.src)-d.at)/bytes {
		d.fail("%d elements are announced, but the message ends before", n)
	}
	d.charge(n * int(memory))
	return d.err == nil
}

func (d *Decoder) charge(bytes int) {
	if d.taken += bytes; d.err != nil {
		return
	}
	if d.taken > d.limit {
		d.err = &MemoryError{Limit: d.limit}
		return
	}
	if more := d.taken - d.asked; more > 0 && d.Charge != nil {
		more += 4 << 10
		if d.err = d.Charge(more); d.err == nil {
			d.asked += more
		}
	}
}

// length reads a length of 1, 2 or 4 bytes.
func (d *Decoder) length(power byte) int { return int(d.uint(1 << power)) }

func (d *Decoder) uint(width int) uint64 {
	var buf [8]byte
	copy(buf[8-width:], d.take(width))
	return binary.BigEndian.Uint64(buf[:])
}

func (d *Decoder) byte() byte { return byte(d.uint(1)) }

// take is the next n bytes; none when they are not there.
func (d *Decoder) take(n int) []byte {
	if d.err != nil {
		return nil
	}
	if n > len(d.src)-d.at {
		d.fail("%d bytes are announced, but the message ends before", n)
		return nil
	}
	b := d.src[d.at : d.at+n]
	d.at += n
	return b
}
