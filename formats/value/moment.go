package value

import "time"

// Moment is the time at which clocks in the zone show the day and time of day. Where they show it
// twice it is the first; what they skip is as much later as they were put forward.
func Moment(days, nanos int64, zone *time.Location) time.Time {
	local := days*secondsPerDay + nanos/1e9
	before, after := offsetAt(local-secondsPerDay, zone), offsetAt(local+secondsPerDay, zone)
	offset := before
	if offsetAt(local-before, zone) != before && offsetAt(local-after, zone) == after {
		offset = after
	}
	return time.Unix(local-offset, nanos%1e9).In(zone)
}

func offsetAt(seconds int64, zone *time.Location) int64 {
	_, offset := time.Unix(seconds, 0).In(zone).Zone()
	return int64(offset)
}

// split is the day, since 1970-01-01, and the time of day that t shows where it is.
func split(t time.Time) (days, nanos int64) {
	_, offset := t.Zone()
	seconds := t.Unix() + int64(offset)
	days = floorDiv(seconds, secondsPerDay)
	return days, (seconds-days*secondsPerDay)*1e9 + int64(t.Nanosecond())
}

// dayOf is midnight of a day in UTC.
func dayOf(days int64) time.Time { return time.Unix(days*secondsPerDay, 0).UTC() }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
