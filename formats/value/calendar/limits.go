package calendar

// What temporal values can be.
const (
	SecondsPerDay = 86400
	MaxYear       = 999_999_999 // and as many before 0
	MinDay        = -365243219162
	MaxDay        = 365241780471
	MaxSecond     = -(MinDay - 1) * SecondsPerDay // from 1970, in any zone
	MaxOffset     = 18 * 3600                     // seconds from UTC
	NanosPerDay   = SecondsPerDay * int64(1e9)
)

// RangeError is a temporal value that is beyond what can be kept.
type RangeError struct{ What string }

func (e *RangeError) Error() string { return e.What + " is out of range" }
