package scaffold

import "fmt"

// NameError is a name or kind that a plugin cannot have.
type NameError struct{ What, Name, Reason string }

func (e *NameError) Error() string {
	return fmt.Sprintf("%q cannot be the %s of a plugin: %s", e.Name, e.What, e.Reason)
}

// ExistsError is a folder that has something in it.
type ExistsError struct{ Dir string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("%s is not empty: choose another folder with --dir, or empty it", e.Dir)
}

// SourceError is a folder that is not Penstock's source.
type SourceError struct {
	Dir string
	Err error
}

func (e *SourceError) Error() string {
	return fmt.Sprintf("%s is not Penstock's source: %v", e.Dir, e.Err)
}

func (e *SourceError) Unwrap() error { return e.Err }
