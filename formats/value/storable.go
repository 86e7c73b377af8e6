package value

// StorableError says why a value can't be a property.
type StorableError struct {
	Kind   Kind // of the value, or of the element that is in the way
	InList bool
	Mixed  Kind // another kind in the same list; Null: that is not why
}

func (e *StorableError) Error() string {
	switch {
	case e.Mixed != Null:
		return "a property can't be a list of " + e.Mixed.String() + " and " + e.Kind.String() +
			" together: use lists of one type"
	case e.InList:
		return "a property can't be a list with a " + e.Kind.String() +
			" in it: use lists of numbers, strings, booleans, temporal values or points"
	}
	return "a property can't be a " + e.Kind.String() + ": store its parts as properties of their own"
}

// Storable is nil if v can be a property: scalars, temporal values, points, and lists of one
// kind of these. Null can: it is no property. Integers and floats may be in one list.
func Storable(v Value) error {
	if v.kind == List {
		return storableList(v.List())
	}
	if v.kind != Null && !v.simple() {
		return &StorableError{Kind: v.kind}
	}
	return nil
}

// simple tells whether it can be an element of a property.
func (v Value) simple() bool {
	switch v.kind {
	case Null, List, Map, Node, Relationship, Path:
		return false
	}
	return true
}

func storableList(elements []Value) error {
	for _, e := range elements {
		first := elements[0]
		switch {
		case !e.simple():
			return &StorableError{Kind: e.kind, InList: true}
		case ranks[e.kind] != ranks[first.kind]:
			return &StorableError{Kind: e.kind, InList: true, Mixed: first.kind}
		}
	}
	return nil
}
