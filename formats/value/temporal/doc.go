// Package temporal reckons with points in time and durations, as openCypher's functions do. Their values and how these
// are compared, stored and written are package value's; days and zones in plain numbers are package calendar's.
//
//	parse.go    texts by ISO 8601; parse_duration.go, parse_zone.go: of durations and zones
//	instant.go  the date, the time of day and the zone that a value has
//	part.go     the others by their names: year, dayOfWeek, minutesOfHour
//	between.go  from one point in time to another
//	shift.go    a point in time moved by a duration
package temporal
