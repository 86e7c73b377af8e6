package cpu

import (
	"runtime"
	"sync/atomic"
	"time"
)

// moment is how long somebody stays awake for what may come: about as long as a system
// takes to wake a thread.
const moment = 20 * time.Microsecond

// wakeful is how many are awake for something, in all pools.
var wakeful atomic.Int64

// awake asks for a moment whether something has come. One processor is left to those who
// have work.
func awake(come func() bool) bool {
	defer wakeful.Add(-1)
	if wakeful.Add(1) >= int64(runtime.GOMAXPROCS(0)) {
		return come()
	}
	for began := time.Now(); !come(); {
		if time.Since(began) > moment {
			return false
		}
	}
	return true
}
