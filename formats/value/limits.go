package value

// What temporal values can be.
const (
	maxYear     = 999_999_999 // and as many before 0
	minDay      = -365243219162
	maxDay      = 365241780471
	maxSecond   = -(minDay - 1) * secondsPerDay // from 1970, in any zone
	maxOffset   = 18 * 3600                     // seconds from UTC
	nanosPerDay = secondsPerDay * int64(1e9)
)
