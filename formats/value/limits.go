package value

// What temporal values can be.
const (
	secondsPerDay = 86400
	maxYear       = 999_999_999 // and as many before 0
	minDay        = -365243219162
	maxDay        = 365241780471
	maxSecond     = -(minDay - 1) * secondsPerDay // from 1970, in any zone
	maxOffset     = 18 * 3600                     // seconds from UTC
	nanosPerDay   = secondsPerDay * int64(1e9)
)

// RangeError is a temporal value that is beyond what can be kept.
type RangeError struct{ What string }

func (e *RangeError) Error() string { return e.What + " is out of range" }
