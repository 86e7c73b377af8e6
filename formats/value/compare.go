package value

import "cmp"

// Unordered is what Compare says of NaN and a number: <, <=, > and >= are false, not null.
const Unordered = 2

// Compare is what <, <=, > and >= go by: -1, 0 or 1, or Unordered. It is not comparable where the
// operators give null: of different kinds, with null, and of kinds that have no less and greater
// (maps, nodes, relationships, paths, durations, points).
func Compare(a, b Value) (c int, comparable bool) {
	switch {
	case a.IsNumber() && b.IsNumber():
		if a.isNaN() || b.isNaN() {
			return Unordered, true
		}
		return compareNumbers(a, b), true
	case a.kind != b.kind || !ordered[a.kind]:
		return 0, false
	case a.kind == List:
		return compareLists(a.List(), b.List())
	}
	return compareSame(a, b), true
}

var ordered = [Point + 1]bool{
	Bool: true, String: true, List: true, Date: true, LocalTime: true, Time: true, LocalDateTime: true, DateTime: true,
}

// compareLists lets the first elements that differ decide, if they can be compared.
func compareLists(a, b []Value) (int, bool) {
	for i := range min(len(a), len(b)) {
		if eq, known := Equal(a[i], b[i]); eq && known {
			continue
		}
		return Compare(a[i], b[i])
	}
	return cmp.Compare(len(a), len(b)), true
}
