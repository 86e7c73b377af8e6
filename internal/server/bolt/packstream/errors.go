package packstream

import (
	"fmt"

	"github.com/penstock-db/penstock/formats/value"
)

// MalformedError is bytes that are no value, or none that is known here.
type MalformedError struct {
	Offset int // within the message
	What   string
}

func (e *MalformedError) Error() string {
	return fmt.Sprintf("the message is malformed at byte %d: %s", e.Offset, e.What)
}

// MemoryError is a message whose values would take more memory than they may.
type MemoryError struct{ Limit int }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("the values of the message take more than %d bytes of memory: send them in several statements",
		e.Limit)
}

func (d *Decoder) fail(format string, args ...any) value.Value {
	if d.err == nil {
		d.err = &MalformedError{Offset: d.at, What: fmt.Sprintf(format, args...)}
	}
	return value.Value{}
}

const invalid = "Neo.ClientError.Request.Invalid"

// Code is Neo4j's.
func (e *MalformedError) Code() string { return invalid }

// Code is Neo4j's.
func (e *MemoryError) Code() string { return invalid }
