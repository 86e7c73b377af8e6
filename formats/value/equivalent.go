package value

// Equivalent tells whether DISTINCT and grouping take a and b for the same: null is null, NaN is
// NaN, 1 is 1.0.
func Equivalent(a, b Value) bool { return Order(a, b) == 0 }
