package confine

import (
	"fmt"
	"runtime"
	"time"
)

// turn is how much time of processors a process may have.
type turn struct {
	limit time.Duration // 0: any
	began time.Duration // what it had taken before
}

// over tells whether a process has taken more, and else for how long it takes at least until it has.
func (t turn) over(use Use) (took, rest time.Duration, over bool) {
	took = use.CPU - t.began
	if t.limit == 0 {
		return took, longestRest, false
	}
	return took, (t.limit - took) / time.Duration(runtime.NumCPU()), took > t.limit
}

// CPUTimeError is a plugin that was killed because it had taken more time of processors than it may.
type CPUTimeError struct{ Limit, Took time.Duration }

func (e *CPUTimeError) Error() string {
	return fmt.Sprintf("it had taken %v of processors' time, more than the %v that --device-cpu-time gives it, and was killed",
		e.Took.Round(10*time.Millisecond), e.Limit)
}
