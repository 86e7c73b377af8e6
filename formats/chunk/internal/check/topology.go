package check

import "slices"

// Offsets refuses those that fall, and returns the least and the most entries of a list; zeroes when there are no
// lists.
func Offsets(offsets []int32) (least, most int, err error) {
	if len(offsets) < 2 {
		return 0, 0, nil
	}
	low, high := offsets[1], int32(0)
	from := offsets[0]
	for row, to := range offsets[1:] {
		if to < from {
			return 0, 0, Invalid("offsets", "row %d ends at %d, before its start %d", row, to, from)
		}
		low, high = min(low, to-from), max(high, to-from)
		from = to
	}
	return int(low), int(high), nil
}

// Neighbors refuses those of a chunk, from entry from on, that are not in an interval of so many vertices. It compares
// the largest first: nearly always there is nothing to find.
func Neighbors(neighbors []uint32, from int, count uint64) error {
	if uint64(largest(neighbors)) < count {
		return nil
	}
	for i, n := range neighbors {
		if uint64(n) >= count {
			return Invalid("neighbors", "entry %d is vertex %d of an interval of %d", from+i, n, count)
		}
	}
	return nil
}

// largest takes eight at a time, which do not wait for one another; 0 when there are none.
func largest(values []uint32) uint32 {
	var m [8]uint32
	for ; len(values) >= len(m); values = values[len(m):] {
		v := (*[8]uint32)(values)
		m[0], m[1], m[2], m[3] = max(m[0], v[0]), max(m[1], v[1]), max(m[2], v[2]), max(m[3], v[3])
		m[4], m[5], m[6], m[7] = max(m[4], v[4]), max(m[5], v[5]), max(m[6], v[6]), max(m[7], v[7])
	}
	for i, v := range values {
		m[i] = max(m[i], v)
	}
	return slices.Max(m[:])
}

// Vertices refuses those that do not ascend or are not in an interval of so many.
func Vertices(vertices []uint32, count uint64) error {
	for i, v := range vertices {
		if uint64(v) >= count {
			return Invalid("vertices", "row %d is vertex %d of an interval of %d", i, v, count)
		}
		if i > 0 && v <= vertices[i-1] {
			return Invalid("vertices", "row %d is vertex %d, not after %d", i, v, vertices[i-1])
		}
	}
	return nil
}
