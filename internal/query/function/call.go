package function

import (
	"math/rand/v2"
	"time"
	"unsafe"

	"github.com/penstock-db/penstock/formats/value"
)

// Call is what functions know about the statement that calls them.
type Call struct {
	Transaction time.Time               // when the transaction began
	Statement   time.Time               // when the statement did
	Realtime    func() time.Time        // what time it is now
	Zone        *time.Location          // of times without a zone; nil: UTC
	Random      *rand.Rand              // for rand and randomUUID
	Charge      func(bytes int64) error // asks for memory before a large list is made; nil: there is no limit
}

func (c *Call) charge(bytes int64) error {
	if c == nil || c.Charge == nil {
		return nil
	}
	return c.Charge(bytes)
}

// random is the source of chance, also without one of the statement's.
func (c *Call) random() *rand.Rand {
	if c == nil || c.Random == nil {
		return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	return c.Random
}

// Add is + where memory is counted: a statement can double a string or list at each step, so
// the result is asked for before it is made.
func (c *Call) Add(a, b value.Value) (value.Value, error) {
	if bytes := joined(a, b); bytes > 0 {
		if err := c.charge(bytes); err != nil {
			return value.Value{}, err
		}
	}
	return Add(a, b)
}

// joined is how many bytes a string or list takes that is put together.
func joined(a, b value.Value) int64 {
	switch {
	case a.IsNull() || b.IsNull():
		return 0
	case a.Kind() == value.List || b.Kind() == value.List:
		return (length(a) + length(b)) * int64(unsafe.Sizeof(value.Value{}))
	case a.Kind() == value.String || b.Kind() == value.String:
		return length(a) + length(b)
	}
	return 0
}

// length of a string in bytes, of a list in elements; 1 of all else.
func length(v value.Value) int64 {
	switch v.Kind() {
	case value.String:
		return int64(len(v.Str()))
	case value.List:
		return int64(len(v.List()))
	}
	return 1
}
