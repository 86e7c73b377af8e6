package check

import "fmt"

// InvalidError says that a chunk's content contradicts itself: lengths, order or ranges.
type InvalidError struct {
	Part    string // "offsets", "neighbors", "vertices", "column weight" …
	Problem string
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("chunk is invalid: %s: %s", e.Part, e.Problem)
}

// Invalid is an *InvalidError.
func Invalid(part, format string, args ...any) error {
	return &InvalidError{Part: part, Problem: fmt.Sprintf(format, args...)}
}
