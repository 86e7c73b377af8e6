package calendar

import "time"

// Moment is the time at which clocks in the zone show the day and time of day. Where they show it
// twice it is the first; what they skip is as much later as they were put forward.
func Moment(days, nanos int64, zone *time.Location) time.Time {
	local := days*SecondsPerDay + nanos/1e9
	before, after := OffsetAt(local-SecondsPerDay, zone), OffsetAt(local+SecondsPerDay, zone)
	offset := before
	if OffsetAt(local-before, zone) != before && OffsetAt(local-after, zone) == after {
		offset = after
	}
	return time.Unix(local-offset, nanos%1e9).In(zone)
}

// OffsetAt is how far east of UTC a zone is, in seconds, at a time since 1970.
func OffsetAt(seconds int64, zone *time.Location) int64 {
	_, offset := time.Unix(seconds, 0).In(zone).Zone()
	return int64(offset)
}

// Split is the day, since 1970-01-01, and the time of day that t shows where it is.
func Split(t time.Time) (days, nanos int64) {
	_, offset := t.Zone()
	seconds := t.Unix() + int64(offset)
	days = FloorDiv(seconds, SecondsPerDay)
	return days, (seconds-days*SecondsPerDay)*1e9 + int64(t.Nanosecond())
}

// Midnight is midnight of a day in UTC.
func Midnight(days int64) time.Time { return time.Unix(days*SecondsPerDay, 0).UTC() }

// FloorDiv divides and rounds down, where Go rounds towards 0. b is above 0.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
