package value

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/penstock-db/penstock/formats/value/calendar"
)

// Append encodes a value after dst: a byte for the kind, then integers as varints, floats as 8
// bytes, texts and lists after their length. Nodes, relationships and paths have no encoding:
// they are part of a graph. Append panics on them.
func Append(dst []byte, v Value) []byte {
	dst = append(dst, byte(v.kind))
	switch v.kind {
	case Null:
		return dst
	case Bool:
		return append(dst, byte(v.bits))
	case Int, Date, LocalTime:
		return binary.AppendVarint(dst, int64(v.bits))
	case Float:
		return binary.LittleEndian.AppendUint64(dst, v.bits)
	case String:
		return appendBytes(dst, v.Str())
	case List:
		return encodeList(dst, v.List())
	case Map:
		return encodeMap(dst, v.Map())
	}
	return encodeRecord(dst, v)
}

func appendBytes(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func encodeList(dst []byte, elements []Value) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(elements)))
	for _, e := range elements {
		dst = Append(dst, e)
	}
	return dst
}

func encodeMap(dst []byte, entries []Entry) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(entries)))
	for _, e := range entries {
		dst = Append(appendBytes(dst, e.Key), e.Value)
	}
	return dst
}

func encodeRecord(dst []byte, v Value) []byte {
	switch v.kind {
	case Time:
		t := v.Time()
		return binary.AppendVarint(binary.AppendVarint(dst, t.Nanos), int64(t.Offset))
	case LocalDateTime:
		return encodeMoment(dst, v.DateTime())
	case DateTime:
		return encodeZoned(dst, v.DateTime())
	case Duration:
		s := v.Duration()
		for _, part := range [...]int64{s.Months, s.Days, s.Seconds, int64(s.Nanos)} {
			dst = binary.AppendVarint(dst, part)
		}
		return dst
	case Point:
		p := v.Point()
		dst = binary.AppendVarint(dst, int64(p.SRID))
		for _, c := range [...]float64{p.X, p.Y, p.Z} {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(c))
		}
		return dst
	}
	panic("value: a " + v.kind.String() + " has no encoding")
}

func encodeMoment(dst []byte, t time.Time) []byte {
	return binary.AppendVarint(binary.AppendVarint(dst, t.Unix()), int64(t.Nanosecond()))
}

// encodeZoned writes the offset only where the zone has no name.
func encodeZoned(dst []byte, t time.Time) []byte {
	dst = appendBytes(encodeMoment(dst, t), t.Location().String())
	if t.Location().String() == "" {
		_, offset := t.Zone()
		dst = binary.AppendVarint(dst, int64(offset))
	}
	return dst
}

// ErrCorrupt is returned for bytes that are no encoded value.
var ErrCorrupt = errors.New("value: these bytes are no encoded value")

// deepest is how far lists and maps may be nested in bytes that are decoded, so that no bytes
// can exhaust the stack.
const deepest = 10_000

// Decode is the value that src begins with, and what follows it. It copies what it needs.
func Decode(src []byte) (v Value, rest []byte, err error) {
	d := decoder{src: src}
	v = d.value(0)
	if d.corrupt {
		return Value{}, nil, ErrCorrupt
	}
	return v, d.src, nil
}

// decoder takes values from the front of src. After the first mistake all are zero.
type decoder struct {
	src     []byte
	corrupt bool
}

func (d *decoder) value(depth int) Value {
	kind := Kind(d.byte())
	switch {
	case depth > deepest:
		d.corrupt = true
	case kind == List:
		return OfList(d.list(depth))
	case kind == Map:
		return d.entries(depth)
	case kind <= String:
		return d.scalar(kind)
	case kind >= Date && kind <= Point:
		return d.record(kind)
	default:
		d.corrupt = true
	}
	return Value{}
}

func (d *decoder) scalar(kind Kind) Value {
	switch kind {
	case Bool:
		return OfBool(d.within(int64(d.byte()), 0, 1) == 1)
	case Int:
		return OfInt(d.varint())
	case Float:
		return OfFloat(d.float())
	case String:
		return OfString(d.text())
	}
	return Value{}
}

func (d *decoder) record(kind Kind) Value {
	switch kind {
	case Date:
		return OfDate(d.within(d.varint(), calendar.MinDay, calendar.MaxDay))
	case LocalTime:
		return OfLocalTime(d.clock())
	case Time:
		return OfTime(ZonedTime{Nanos: d.clock(), Offset: d.offset()})
	case LocalDateTime:
		return OfLocalDateTime(d.moment())
	case DateTime:
		return d.zoned()
	case Duration:
		return OfDuration(Span{d.varint(), d.varint(), d.varint(), int32(d.within(d.varint(), 0, 1e9-1))})
	}
	p := Place{SRID: int32(d.within(d.varint(), 0, math.MaxInt32)), X: d.float(), Y: d.float(), Z: d.float()}
	d.corrupt = d.corrupt || p.System() == ""
	return OfPoint(p)
}

func (d *decoder) clock() int64 { return d.within(d.varint(), 0, calendar.NanosPerDay-1) }

func (d *decoder) offset() int32 {
	return int32(d.within(d.varint(), -calendar.MaxOffset, calendar.MaxOffset))
}

func (d *decoder) moment() time.Time {
	const day = calendar.SecondsPerDay
	seconds := d.within(d.varint(), calendar.MinDay*day-day, calendar.MaxDay*day+2*day)
	return time.Unix(seconds, d.within(d.varint(), 0, 1e9-1)).UTC()
}

func (d *decoder) zoned() Value {
	t, name := d.moment(), d.text()
	if name == "" {
		return OfDateTime(t.In(calendar.Offset(int(d.offset()))))
	}
	zone, err := calendar.Zone(name)
	if err != nil {
		d.corrupt = true
		return Value{}
	}
	return OfDateTime(t.In(zone))
}

// trusted is how many elements get memory before they are seen to be there.
const trusted = 64

func (d *decoder) list(depth int) []Value {
	n := d.length()
	elements := make([]Value, 0, min(n, trusted))
	for range n {
		elements = append(elements, d.value(depth+1))
		if d.corrupt {
			return nil
		}
	}
	return elements
}

// entries has to find keys ascending, as maps have them.
func (d *decoder) entries(depth int) Value {
	n := d.length()
	entries := make([]Entry, 0, min(n, trusted))
	for i := range n {
		entries = append(entries, Entry{d.text(), d.value(depth + 1)})
		if d.corrupt = d.corrupt || i > 0 && entries[i-1].Key >= entries[i].Key; d.corrupt {
			return Value{}
		}
	}
	return OfEntries(entries)
}

func (d *decoder) byte() byte {
	b := d.take(1)
	if b == nil {
		return 0
	}
	return b[0]
}

func (d *decoder) varint() int64 {
	n, size := binary.Varint(d.src)
	d.corrupt = d.corrupt || size <= 0
	d.take(max(size, 0))
	return n
}

// length is of what takes a byte an element at least.
func (d *decoder) length() int {
	n, size := binary.Uvarint(d.src)
	d.corrupt = d.corrupt || size <= 0
	d.take(max(size, 0))
	if d.corrupt = d.corrupt || n > uint64(len(d.src)); d.corrupt {
		return 0
	}
	return int(n)
}

func (d *decoder) float() float64 {
	b := d.take(8)
	if b == nil {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

func (d *decoder) text() string { return string(d.take(d.length())) }

// take is the next n bytes; nil: there are fewer.
func (d *decoder) take(n int) []byte {
	if d.corrupt = d.corrupt || n > len(d.src); d.corrupt {
		return nil
	}
	b := d.src[:n]
	d.src = d.src[n:]
	return b
}

func (d *decoder) within(n, least, most int64) int64 {
	if n < least || n > most {
		d.corrupt = true
		return 0
	}
	return n
}
