package onnx

import "strconv"

// Type is the type of a tensor's elements; the numbers are ONNX's (TensorProto.DataType).
type Type int32

const (
	Float32 Type = 1
	Uint8   Type = 2
	Int8    Type = 3
	Uint16  Type = 4
	Int16   Type = 5
	Int32   Type = 6
	Int64   Type = 7
	Bool    Type = 9
	Float16 Type = 10
	Float64 Type = 11
	Uint32  Type = 12
	Uint64  Type = 13
)

var types = map[Type]struct {
	name string
	size uint64
}{
	Float32: {"float32", 4}, Uint8: {"uint8", 1}, Int8: {"int8", 1}, Uint16: {"uint16", 2}, Int16: {"int16", 2},
	Int32: {"int32", 4}, Int64: {"int64", 8}, Bool: {"bool", 1}, Float16: {"float16", 2}, Float64: {"float64", 8},
	Uint32: {"uint32", 4}, Uint64: {"uint64", 8},
}

func (t Type) String() string {
	if known, ok := types[t]; ok {
		return known.name
	}
	return "type " + strconv.Itoa(int(t))
}

// Size is that of an element in bytes; 0 for a type that is none of the above.
func (t Type) Size() uint64 { return types[t].size }
