package formats

import "fmt"

// Limits on what stands in a file, whatever memory there is. Every reader keeps to them.
const (
	// MaxID is the longest string id, in bytes.
	MaxID = 64 << 10
	// MaxColumns is how many columns a table may have.
	MaxColumns = 4096
	// MaxRow is the longest line, record, text or list in bytes, where there is memory for it:
	// room for an adjacency list of some ten million neighbors. See Options.RowLimit.
	MaxRow = 256 << 20
)

// A row may take a rowShare-th of the memory of a load: it is held several times on its way,
// as text, as values, and as a record.
const rowShare, leastRow = 16, 256 << 10

// RowLimit is the longest line, record, text or list in bytes that a reader accepts: a
// sixteenth of Memory, at least 256 KiB and at most MaxRow.
func (o Options) RowLimit() int {
	if o.Memory <= 0 {
		return MaxRow
	}
	return int(min(max(o.Memory/rowShare, leastRow), MaxRow))
}

// LimitError is a ParseError about something that is larger than a reader accepts. Nothing
// of that size has been allocated.
type LimitError struct {
	ParseError
	Limit int64 // in the unit that Found names
}

// TooLarge is the error for what, "a line" or "an id", of more than limit units, "bytes" or
// "columns". expected says what to do.
func TooLarge(at Position, what string, limit int64, units, expected string) error {
	return &LimitError{ParseError{Position: at, Found: fmt.Sprintf("%s of more than %d %s", what, limit, units),
		Expected: expected}, limit}
}

// LongID is the error for an id of more than MaxID bytes.
func LongID(at Position) error { return TooLarge(at, "an id", MaxID, "bytes", "a shorter one") }

// Unwrap is the ParseError.
func (e *LimitError) Unwrap() error { return &e.ParseError }
