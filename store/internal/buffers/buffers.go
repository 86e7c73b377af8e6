// Package buffers lends memory for chunks that are looked at, or written, and forgotten.
package buffers

import (
	"sync"

	"github.com/penstock-db/penstock/formats/chunk"
)

// scratches are buffers for chunks that are looked at, or written, and forgotten.
var scratches sync.Pool

// Return gives back a buffer that Borrow has made.
func Return(b []byte) { scratches.Put(&b) }

// Borrow takes an aligned buffer of n bytes from scratches or makes one.
func Borrow(n int) []byte {
	if b, ok := scratches.Get().(*[]byte); ok && cap(*b) >= n {
		return (*b)[:n]
	}
	return chunk.Aligned(n)
}
