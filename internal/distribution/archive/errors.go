package archive

import "fmt"

// EntryError is a file that an archive must not have.
type EntryError struct {
	Name   string // as the archive has it
	Reason string
}

func (e *EntryError) Error() string { return fmt.Sprintf("entry %q: %s", e.Name, e.Reason) }

// LimitError is an archive that is larger than whoever reads it takes.
type LimitError struct {
	What  string // there is more of: "files", or "bytes, unpacked"
	Limit int64
}

func (e *LimitError) Error() string { return fmt.Sprintf("it has more than %d %s", e.Limit, e.What) }

// FormatError is a file that is no archive, or not all of one.
type FormatError struct{ Err error }

func (e *FormatError) Error() string {
	return fmt.Sprintf("it is damaged, cut off, or no .tar.zst file: %v", e.Err)
}

func (e *FormatError) Unwrap() error { return e.Err }
