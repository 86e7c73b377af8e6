package arena

import "unsafe"

// Float64s is the memory of r as float64 values.
func (a *Arena) Float64s(r Range) ([]float64, error) { return view[float64](a, r) }

// Int64s is the memory of r as int64 values.
func (a *Arena) Int64s(r Range) ([]int64, error) { return view[int64](a, r) }

// Float32s is the memory of r as float32 values.
func (a *Arena) Float32s(r Range) ([]float32, error) { return view[float32](a, r) }

// Uint32s is the memory of r as uint32 values.
func (a *Arena) Uint32s(r Range) ([]uint32, error) { return view[uint32](a, r) }

// Uint64s is the memory of r as uint64 words.
func (a *Arena) Uint64s(r Range) ([]uint64, error) { return view[uint64](a, r) }

func view[T float64 | int64 | uint64 | float32 | uint32](a *Arena, r Range) ([]T, error) {
	width := uint64(unsafe.Sizeof(*new(T)))
	b, err := a.Bytes(r)
	if err != nil {
		return nil, err
	}
	if r.Length%width != 0 {
		return nil, &RangeError{Range: r, Size: a.Size(), Align: width}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(width)), nil
}
