package dataflow

// Sparse finds the values that may stay sparse: given so, or that times a dropout, if products are all that is
// made of them.
func Sparse(values []*Value, given func(*Value) bool) map[*Value]bool {
	sparse := map[*Value]bool{}
	for _, v := range values {
		sparse[v] = v.Op == Input && given(v) || isDropped(v) && (sparse[v.Args[0]] || sparse[v.Args[1]])
	}
	for i := len(values) - 1; i >= 0; i-- { // a value is dense where something else is made of it
		v := values[i]
		for k, a := range v.Args {
			if sparse[a] && !sparse[v] && (k > 0 || v.Op != Product && v.Op != Outer) {
				sparse[a] = false
			}
		}
	}
	for _, v := range values {
		sparse[v] = sparse[v] && (v.Op == Input || sparse[v.Args[0]] || sparse[v.Args[1]])
	}
	return sparse
}

// isDropped says whether v is rows times a dropout of as many columns.
func isDropped(v *Value) bool {
	if v.Op != Multiply || v.Place != Vertices {
		return false
	}
	x, mask := v.Args[0], v.Args[1]
	if x.Op == Mask {
		x, mask = mask, x
	}
	return mask.Op == Mask && x.Op != Mask && x.Width == mask.Width
}
