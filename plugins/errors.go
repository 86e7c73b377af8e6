package plugins

import (
	"errors"
	"fmt"
	"strings"
)

// Kind says what went wrong, in a form that programs decide by and that survives the wire.
type Kind uint8

const (
	KindInternal    Kind = iota // a defect in the plugin
	KindUnsupported             // the device cannot do what was asked
	KindInvalid                 // the request contradicts the contract or the program is wrong
	KindBudget                  // more memory than the budget allows
	KindChunk                   // a chunk is damaged or does not belong here
	KindCanceled                // the run was canceled
	KindDied                    // the plugin process ended
	KindHung                    // the plugin did not answer in time
	KindLaunch                  // the plugin could not be started: missing, checksum, handshake
)

var kindNames = [...]string{"internal error", "unsupported", "invalid request", "over budget",
	"bad chunk", "canceled", "plugin died", "plugin hung", "plugin not started"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Error is a failure of a device. It carries facts: which device, which chunk, what kind.
type Error struct {
	Device string
	Kind   Kind
	Chunk  int64 // the chunk concerned, or -1
	Err    error
}

// Errorf makes an Error that concerns no chunk.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Chunk: -1, Err: fmt.Errorf(format, args...)}
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Device != "" {
		fmt.Fprintf(&b, "device %s: ", e.Device)
	}
	b.WriteString(e.Kind.String())
	if e.Chunk >= 0 {
		fmt.Fprintf(&b, " (chunk %d)", e.Chunk)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// KindOf is the kind of the first Error in err's chain, or KindInternal.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return KindInternal
}
