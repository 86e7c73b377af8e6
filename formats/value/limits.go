package value

// What temporal values can be. Years go from -999,999,999 to 999,999,999.
const (
	minDay      = -365243219162
	maxDay      = 365241780471
	nanosPerDay = secondsPerDay * int64(1e9)
	maxOffset   = 18 * 3600 // seconds from UTC
)
