package packed

import (
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// The kernel does what its counterpart does, with any bytes.
func TestRestore(t *testing.T) {
	if !hasKernel {
		t.Skip("the processor has no AVX")
	}
	rng := testseed.Rand(t)
	for range 200 {
		var from stored
		for i := range from {
			from[i] = byte(rng.Uint32())
		}
		for _, signs := range []bool{false, true} {
			var plain, fast [blockBytes]byte
			end := restorePlain(&plain, &from, signs)
			if at := controls + restoreAVX(&fast, &from, &shuffles, &ends, signs); at != end || plain != fast {
				t.Fatalf("signs %v: differences end at %d, not %d, or other words", signs, at, end)
			}
		}
	}
}
