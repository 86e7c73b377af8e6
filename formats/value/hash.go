package value

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Hash is the same for equivalent values, in every process.
func Hash(v Value) uint64 { return hash(seed, v) }

// The constants are wyhash's (Wang Yi), whose multiply and fold mixes the words in.
const (
	seed     = 0xa0761d6478bd642f
	multiple = 0xe7037ed1a0b428db
)

func mix(h, word uint64) uint64 {
	hi, lo := bits.Mul64(h^word, multiple)
	return hi ^ lo ^ seed
}

func hash(h uint64, v Value) uint64 {
	h = mix(h, uint64(ranks[v.kind])) // 1 and 1.0 have one rank
	switch v.kind {
	case Float:
		return hashFloat(h, v.Float())
	case String:
		return hashString(h, v.Str())
	case List:
		return hashList(h, v.List())
	case Map:
		return hashMap(h, v.Map())
	case Path:
		return hashList(hashList(h, v.Path().Nodes), v.Path().Relationships)
	case Time, LocalDateTime, DateTime, Duration, Point:
		return hashRecord(h, v)
	}
	return mix(h, v.bits)
}

// hashFloat takes a whole number as the integer that it equals.
func hashFloat(h uint64, f float64) uint64 {
	switch {
	case math.IsNaN(f):
		return mix(h, math.Float64bits(math.NaN()))
	case f == math.Trunc(f) && f >= -1<<63 && f < 1<<63:
		return mix(h, uint64(int64(f)))
	}
	return mix(h, math.Float64bits(f))
}

func hashString(h uint64, s string) uint64 {
	h = mix(h, uint64(len(s)))
	for ; len(s) >= 8; s = s[8:] {
		h = mix(h, binary.LittleEndian.Uint64([]byte(s[:8])))
	}
	var last [8]byte
	copy(last[:], s)
	return mix(h, binary.LittleEndian.Uint64(last[:]))
}

func hashList(h uint64, elements []Value) uint64 {
	h = mix(h, uint64(len(elements)))
	for _, e := range elements {
		h = hash(h, e)
	}
	return h
}

func hashMap(h uint64, entries []Entry) uint64 {
	h = mix(h, uint64(len(entries)))
	for _, e := range entries {
		h = hash(hashString(h, e.Key), e.Value)
	}
	return h
}

// hashRecord is of the kinds that are kept beside the value.
func hashRecord(h uint64, v Value) uint64 {
	switch v.kind {
	case Time:
		t := v.Time()
		return mix(mix(h, uint64(t.Nanos)), uint64(t.Offset))
	case Duration:
		s := v.Duration()
		return mix(mix(mix(mix(h, uint64(s.Months)), uint64(s.Days)), uint64(s.Seconds)), uint64(s.Nanos))
	case Point:
		p := v.Point()
		return hashFloat(hashFloat(hashFloat(mix(h, uint64(p.SRID)), p.X), p.Y), p.Z)
	}
	t := v.DateTime()
	return hashString(mix(mix(h, uint64(t.Unix())), uint64(t.Nanosecond())), t.Location().String())
}
