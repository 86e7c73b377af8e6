package value

// Equivalent tells whether DISTINCT and grouping take a and b for the same: null is null, NaN is
// NaN, 1 is 1.0.
func Equivalent(a, b Value) bool {
	if a.kind == b.kind {
		switch a.kind {
		case Bool, Int, Node, Relationship:
			return a.bits == b.bits
		case String:
			return a.Str() == b.Str()
		}
	}
	return Order(a, b) == 0
}
