// Package calendar counts days and tells the time in zones, in plain numbers: days since 1970-01-01, nanoseconds since
// midnight, seconds from UTC.
//
//	calendar.go  the day of a year, month and day, of a week, a quarter
//	moment.go    what clocks in a zone show, and when they show it
//	zone.go      the database of time zones
//	truncate.go  where the unit begins that a day or a time of day is in
//	limits.go    what days, years and offsets there are
package calendar
