package value

import (
	"math"
	"unsafe"
)

// A statement can put a value into a list twice, that list into another twice, and so on: soon
// what is shared in memory is too much to walk through. So lists and maps know how much is in
// them, and how deep, from when they are made.

const (
	valueBytes  = int64(unsafe.Sizeof(Value{}))
	stringBytes = int(unsafe.Sizeof(""))
	boxedBytes  = 48 // what is beside temporal values and points, about
	weightBytes = 8  // the unit of weight
)

// Size is about how many bytes a value takes with all that is in it, where what is in it twice
// counts twice. It knows up to 32 GiB of lists and maps.
func (v Value) Size() int64 {
	switch v.kind {
	case String:
		return valueBytes + int64(v.bits)
	case List, Map:
		return valueBytes + int64(v.weight)*weightBytes
	case Path:
		return valueBytes + sizeOf(v.Path().Nodes) + sizeOf(v.Path().Relationships)
	case Node, Relationship:
		return valueBytes + v.contentBytes()
	case Time, LocalDateTime, DateTime, Duration, Point:
		return valueBytes + boxedBytes
	}
	return valueBytes
}

func sizeOf(values []Value) (sum int64) {
	for i := range values {
		sum += values[i].Size()
	}
	return sum
}

// contentBytes is about what a node or relationship has, where that is known.
func (v Value) contentBytes() (sum int64) {
	if v.ref == nil {
		return 0
	}
	var properties []Entry
	if v.kind == Node {
		n := v.Node()
		sum, properties = int64(unsafe.Sizeof(*n))+int64(len(n.Labels)*stringBytes), n.Properties
	} else {
		r := v.Relationship()
		sum, properties = int64(unsafe.Sizeof(*r)), r.Properties
	}
	for i := range properties {
		sum += int64(stringBytes) + properties[i].Value.Size()
	}
	return sum
}

// Depth is how many lists and maps are one within the other, to 255.
func (v Value) Depth() int { return int(v.depth) }

// contain takes an element's size, and extra bytes, to the weight, and its depth to the depth.
func (v *Value) contain(element *Value, extra int) {
	units := (element.Size() + int64(extra) + weightBytes - 1) / weightBytes
	v.weight = uint32(min(int64(v.weight)+units, math.MaxUint32))
	v.depth = max(v.depth, uint8(min(int(element.depth)+1, math.MaxUint8)))
}
