package value

// Equal is openCypher's a = b. It is not known where a null has to be compared and nothing else
// shows that they differ. Values of different kinds are not equal; NaN equals nothing.
func Equal(a, b Value) (eq, known bool) {
	switch {
	case a.kind == Null || b.kind == Null:
		return false, false
	case a.kind == List && b.kind == List:
		return equalLists(a.List(), b.List())
	case a.kind == Map && b.kind == Map:
		return equalMaps(a.Map(), b.Map())
	case a.kind == Point && b.kind == Point:
		return a.Point() == b.Point(), true
	}
	return !a.isNaN() && Order(a, b) == 0, true
}

// equalLists is false if any elements differ, whatever the others are.
func equalLists(a, b []Value) (eq, known bool) {
	if len(a) != len(b) {
		return false, true
	}
	known = true
	for i := range a {
		same, sure := Equal(a[i], b[i])
		if sure && !same {
			return false, true
		}
		known = known && sure
	}
	return known, known
}

// equalMaps compares keys before values: where keys differ nothing is unknown.
func equalMaps(a, b []Entry) (eq, known bool) {
	if len(a) != len(b) {
		return false, true
	}
	for i := range a {
		if a[i].Key != b[i].Key {
			return false, true
		}
	}
	known = true
	for i := range a {
		same, sure := Equal(a[i].Value, b[i].Value)
		if sure && !same {
			return false, true
		}
		known = known && sure
	}
	return known, known
}
