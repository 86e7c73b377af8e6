package function

import "github.com/penstock-db/penstock/formats/value"

// Equal is =.
func Equal(a, b value.Value) (value.Value, error) {
	eq, known := value.Equal(a, b)
	return truth(eq, known), nil
}

// NotEqual is <>.
func NotEqual(a, b value.Value) (value.Value, error) {
	eq, known := value.Equal(a, b)
	return truth(!eq, known), nil
}

// Less is <.
func Less(a, b value.Value) (value.Value, error) {
	c, comparable := value.Compare(a, b)
	return truth(c == -1, comparable), nil
}

// LessEqual is <=.
func LessEqual(a, b value.Value) (value.Value, error) {
	c, comparable := value.Compare(a, b)
	return truth(c == -1 || c == 0, comparable), nil
}

// Greater is >.
func Greater(a, b value.Value) (value.Value, error) {
	c, comparable := value.Compare(a, b)
	return truth(c == 1, comparable), nil
}

// GreaterEqual is >=.
func GreaterEqual(a, b value.Value) (value.Value, error) {
	c, comparable := value.Compare(a, b)
	return truth(c == 1 || c == 0, comparable), nil
}

// truth is null where nothing is known.
func truth(b, known bool) value.Value {
	if !known {
		return value.Value{}
	}
	return value.OfBool(b)
}
