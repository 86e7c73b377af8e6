package driver

// #include <cuda.h>
import "C"

import (
	"errors"
	"fmt"
	"reflect"
)

// Condition is what an Error can be asked for by errors.Is.
type Condition string

const (
	// OutOfMemory: the card, or the host's memory that can be pinned, has not as much.
	OutOfMemory Condition = "out of memory on the card"
	// Sticky: every call on the context fails from now on; only a new process gets another one.
	Sticky Condition = "the card's context is lost"
)

func (c Condition) Error() string { return string(c) }

// Error is a call of the driver's that failed.
type Error struct {
	Call string // cuMemAlloc …
	Code int    // CUresult
	Name string // of the code
	Text string // what the driver says of it, and whatever else is known
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s (%s, %d)", e.Call, e.Text, e.Name, e.Code)
}

// Is answers errors.Is for OutOfMemory and Sticky.
func (e *Error) Is(target error) bool {
	switch target {
	case OutOfMemory:
		return e.Code == C.CUDA_ERROR_OUT_OF_MEMORY
	case Sticky:
		return sticky[e.Code]
	}
	return false
}

// sticky are the errors that leave a context of no use, as cuda.h says of each.
var sticky = map[int]bool{
	C.CUDA_ERROR_ECC_UNCORRECTABLE:     true,
	C.CUDA_ERROR_NVLINK_UNCORRECTABLE:  true,
	C.CUDA_ERROR_ILLEGAL_ADDRESS:       true,
	C.CUDA_ERROR_LAUNCH_TIMEOUT:        true,
	C.CUDA_ERROR_CONTEXT_IS_DESTROYED:  true,
	C.CUDA_ERROR_ASSERT:                true,
	C.CUDA_ERROR_HARDWARE_STACK_ERROR:  true,
	C.CUDA_ERROR_ILLEGAL_INSTRUCTION:   true,
	C.CUDA_ERROR_MISALIGNED_ADDRESS:    true,
	C.CUDA_ERROR_INVALID_ADDRESS_SPACE: true,
	C.CUDA_ERROR_INVALID_PC:            true,
	C.CUDA_ERROR_LAUNCH_FAILED:         true,
	C.CUDA_ERROR_EXTERNAL_DEVICE:       true,
	C.CUDA_ERROR_MPS_CLIENT_TERMINATED: true,
	C.CUDA_ERROR_UNKNOWN:               true,
	226:                                true, // CUDA_ERROR_CONTAINED, of 12.8
	721:                                true, // CUDA_ERROR_TENSOR_MEMORY_LEAK, of 12.8
}

// failed is the Error of a call by its code; nil for success.
func failed(call string, code C.CUresult) error {
	if code == C.CUDA_SUCCESS {
		return nil
	}
	e := &Error{Call: call, Code: int(code), Name: "an unknown error", Text: "the driver has no words for it"}
	var words *C.char
	if C.cuGetErrorName(code, &words) == C.CUDA_SUCCESS && words != nil {
		e.Name = C.GoString(words)
	}
	if C.cuGetErrorString(code, &words) == C.CUDA_SUCCESS && words != nil {
		e.Text = C.GoString(words)
	}
	return telling(e, advice[code])
}

// wrap is failed for what cu returns: its errors are CUresults of a type that it keeps to itself.
func wrap(call string, err error) error {
	if err == nil {
		return nil
	}
	value := reflect.ValueOf(err)
	if !value.CanInt() {
		return fmt.Errorf("%s: %w", call, err)
	}
	return failed(call, C.CUresult(value.Int()))
}

// telling is an error that this package has just made, with more in its text.
func telling(err error, more string) error {
	var e *Error
	if more != "" && errors.As(err, &e) {
		e.Text += ": " + more
	}
	return err
}
