package budget

// Tally is what one operator holds of a budget.
type Tally struct {
	*Budget
	operator string
	bytes    int64
}

// Tally begins the tally of an operator, which faults call by that name.
func (b *Budget) Tally(operator string) *Tally { return &Tally{Budget: b, operator: operator} }

// Add charges bytes.
func (t *Tally) Add(bytes int64) error {
	err := t.Hold(t.operator, bytes)
	if err == nil {
		t.bytes += bytes
	}
	return err
}

// Less lets go of bytes.
func (t *Tally) Less(bytes int64) {
	t.bytes -= bytes
	t.Release(bytes)
}

// Clear lets go of all.
func (t *Tally) Clear() { t.Less(t.bytes) }

// leastSpilled is how many bytes are worth a file when others have the memory.
const leastSpilled = 1 << 20

// Crowded tells whether bytes more do not fit while what is held is worth a temporary file.
func (t *Tally) Crowded(bytes int64) bool { return t.bytes > leastSpilled && !t.Fits(bytes) }

// Grown is a slice with room for n more elements. A longer one is charged before it is
// allocated; until its elements are copied both are there, and both are charged.
func Grown[T any](t *Tally, s []T, n int) ([]T, error) {
	if cap(s)-len(s) >= n {
		return s, nil
	}
	capacity := nextCapacity(s, n)
	if err := t.Add(ArrayBytes[T](capacity)); err != nil {
		return s, err
	}
	longer := append(make([]T, 0, capacity), s...)
	t.Less(ArrayBytes[T](cap(s)))
	return longer, nil
}

// Growth is what Grown would charge.
func Growth[T any](s []T, n int) int64 {
	if cap(s)-len(s) >= n {
		return 0
	}
	return ArrayBytes[T](nextCapacity(s, n))
}

// nextCapacity is half as much again: between 4 elements and what is needed.
func nextCapacity[T any](s []T, n int) int { return max(4, len(s)+n, len(s)+len(s)/2) }
