package ort

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Code is the kind of a failure, as the library numbers them (OrtErrorCode).
type Code int32

const (
	Fail             Code = 1
	InvalidArgument  Code = 2
	NoSuchFile       Code = 3
	NoModel          Code = 4
	EngineError      Code = 5
	RuntimeException Code = 6
	InvalidProtobuf  Code = 7
	ModelLoaded      Code = 8
	NotImplemented   Code = 9
	InvalidGraph     Code = 10
	ProviderFailed   Code = 11
	LoadCanceled     Code = 12
	NeedsCompilation Code = 13
	NotFound         Code = 14
	NotLoaded        Code = -1 // there is no library, or it is another one
	TooOld           Code = -2 // the library's version
	MissingProvider  Code = -3 // the library was built without it
)

// Error is a failure of the library or of loading it.
type Error struct {
	Library string // its path
	Doing   string // what was attempted
	Code    Code
	Message string // the library's own words, or the loader's
	Advice  string // what to do; may be empty
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "onnxruntime (%s): %s: %s", e.Library, e.Doing, e.Message)
	if e.Advice != "" {
		b.WriteString("; " + e.Advice)
	}
	return b.String()
}

// Is of a code, so that errors.Is(err, ort.MissingProvider) holds.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

func (c Code) Error() string { return fmt.Sprintf("onnxruntime: code %d", int32(c)) }

// check turns a status into an error and releases it.
func (r *Runtime) check(s status, doing string) error {
	if s == 0 {
		return nil
	}
	defer r.api.ReleaseStatus(s)
	return &Error{Library: r.path, Doing: doing, Code: Code(r.api.GetErrorCode(s)),
		Message: words(r.api.GetErrorMessage(s))}
}

// preamble is where in its source the library found the error, and the code once more.
var preamble = regexp.MustCompile(`^.*?\[ONNXRuntimeError\] : \d+ : \w+ : `)

func words(message string) string {
	return strings.TrimSpace(preamble.ReplaceAllString(message, ""))
}

// ErrClosed is the failure of what was used after Close.
var ErrClosed = errors.New("onnxruntime: used after it was closed")
