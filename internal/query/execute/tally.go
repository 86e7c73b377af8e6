package execute

import "unsafe"

// tally is what one operator holds.
type tally struct {
	*frame
	operator string
	bytes    int64
}

func (f *frame) tally(operator string) *tally { return &tally{frame: f, operator: operator} }

// add charges bytes.
func (t *tally) add(bytes int64) error {
	err := t.hold(t.operator, bytes)
	if err == nil {
		t.bytes += bytes
	}
	return err
}

// less lets go of bytes.
func (t *tally) less(bytes int64) {
	t.bytes -= bytes
	t.release(bytes)
}

// clear lets go of all.
func (t *tally) clear() { t.less(t.bytes) }

// grown is a slice with room for n more elements. A longer one is charged before it is
// allocated; until its elements are copied both are there, and both are charged.
func grown[T any](t *tally, s []T, n int) ([]T, error) {
	if cap(s)-len(s) >= n {
		return s, nil
	}
	capacity := nextCapacity(s, n)
	if err := t.add(arrayBytes[T](capacity)); err != nil {
		return s, err
	}
	longer := append(make([]T, 0, capacity), s...)
	t.less(arrayBytes[T](cap(s)))
	return longer, nil
}

// growth is what grown would charge.
func growth[T any](s []T, n int) int64 {
	if cap(s)-len(s) >= n {
		return 0
	}
	return arrayBytes[T](nextCapacity(s, n))
}

// nextCapacity is half as much again: between 4 elements and what is needed.
func nextCapacity[T any](s []T, n int) int { return max(4, len(s)+n, len(s)+len(s)/2) }

func arrayBytes[T any](elements int) int64 {
	return int64(elements) * int64(unsafe.Sizeof(*new(T)))
}
