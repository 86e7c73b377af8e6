package onnx

import (
	"reflect"
	"unsafe"
)

// Tensor is a constant: an initializer of a graph, or an attribute.
type Tensor struct {
	Name  string
	Type  Type
	Shape []int64 // nil: a scalar
	Data  []byte  // the elements as they lie in the memory of a little-endian machine
}

// Element is what Go has for the types of elements; half precision is [Half].
type Element interface {
	~bool | ~float32 | ~float64 | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

var kinds = map[reflect.Kind]Type{
	reflect.Bool: Bool, reflect.Float32: Float32, reflect.Float64: Float64,
	reflect.Int8: Int8, reflect.Int16: Int16, reflect.Int32: Int32, reflect.Int64: Int64,
	reflect.Uint8: Uint8, reflect.Uint16: Uint16, reflect.Uint32: Uint32, reflect.Uint64: Uint64,
}

// TypeFor is the type of elements that Go's T is kept as.
func TypeFor[T Element]() Type {
	t := reflect.TypeFor[T]()
	if t == reflect.TypeFor[Half]() {
		return Float16
	}
	return kinds[t.Kind()]
}

// Bytes is the memory of values, without a copy: what a session is bound to.
func Bytes[T Element](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), uintptr(len(values))*unsafe.Sizeof(*new(T)))
}

// Scalar is a tensor of one value and no dimension.
func Scalar[T Element](name string, value T) Tensor { return Values(name, nil, value) }

// Vector is a tensor of one dimension.
func Vector[T Element](name string, values ...T) Tensor {
	return Values(name, []int64{int64(len(values))}, values...)
}

// Values is a tensor of the given shape, its rows one after the other.
func Values[T Element](name string, shape []int64, values ...T) Tensor {
	return Tensor{Name: name, Type: TypeFor[T](), Shape: shape, Data: Bytes(values)}
}

func (t Tensor) encode() []byte {
	var m message
	for _, d := range t.Shape {
		m.varint(1, uint64(d))
	}
	m.varint(2, uint64(t.Type))
	m.text(8, t.Name)
	m.message(9, t.Data)
	return m
}
