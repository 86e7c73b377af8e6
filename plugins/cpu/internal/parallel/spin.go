package parallel

import (
	"runtime"
	"sync/atomic"
	"time"
)

// spinTime is how long somebody stays awake for what may come: about as long as a system
// takes to wake a thread.
const spinTime = 20 * time.Microsecond

// spinning is how many are awake for something, in all pools.
var spinning atomic.Int64

// spin asks for a moment whether something has come. One processor is left to those who
// have work.
func spin(come func() bool) bool {
	defer spinning.Add(-1)
	if spinning.Add(1) >= int64(runtime.GOMAXPROCS(0)) {
		return come()
	}
	for began := time.Now(); !come(); {
		if time.Since(began) > spinTime {
			return false
		}
	}
	return true
}
