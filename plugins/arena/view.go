package arena

import "unsafe"

// Float64s is the memory of r as float64 values.
func (a *Arena) Float64s(r Range) ([]float64, error) { return view[float64](a, r) }

// Int64s is the memory of r as int64 values.
func (a *Arena) Int64s(r Range) ([]int64, error) { return view[int64](a, r) }

// Uint64s is the memory of r as uint64 words.
func (a *Arena) Uint64s(r Range) ([]uint64, error) { return view[uint64](a, r) }

func view[T float64 | int64 | uint64](a *Arena, r Range) ([]T, error) {
	const width = 8
	b, err := a.Bytes(r)
	if err != nil {
		return nil, err
	}
	if r.Length%width != 0 {
		return nil, &RangeError{Range: r, Size: a.Size(), Align: width}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/width), nil
}
