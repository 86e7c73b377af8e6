package serve

import (
	"math"
	"os"
	"runtime/debug"

	"github.com/penstock-db/penstock/internal/memory"
)

// limitGarbage has the garbage collector work harder before the process takes more than a
// quarter beyond the pool, beside the changes of one graph and what the program itself takes.
// That is no hard limit: the pool bounds what is held, and the collector what is not yet given
// back. GOMEMLIMIT replaces it.
func limitGarbage(pool *memory.Pool, changes int64) {
	const program = 256 << 20
	if os.Getenv("GOMEMLIMIT") != "" || pool.Limit() > math.MaxInt64/2 {
		return
	}
	debug.SetMemoryLimit(pool.Limit()/4*5 + changes + program)
}
