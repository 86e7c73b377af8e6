package value

import (
	"strconv"
	"time"

	"github.com/penstock-db/penstock/formats/value/calendar"
)

// ISO is the text of a temporal value by ISO 8601, without what is zero at the end of a time:
// 2015-07-21T21:40:32.142+02:00[Europe/Stockholm], 12:00, P1Y2M3DT4H5M6.7S.
func (v Value) ISO() string { return string(v.appendISO(nil)) }

func (v Value) appendISO(b []byte) []byte {
	switch v.kind {
	case Date:
		return appendDate(b, v.Days())
	case LocalTime:
		return appendClock(b, v.Nanos())
	case Time:
		t := v.Time()
		return calendar.AppendOffset(appendClock(b, t.Nanos), int(t.Offset))
	case LocalDateTime:
		return appendMoment(b, v.DateTime())
	case DateTime:
		return appendZoned(b, v.DateTime())
	}
	return appendSpan(b, v.Duration())
}

func appendDate(b []byte, days int64) []byte {
	year, month, day := calendar.Midnight(days).Date()
	b = appendYear(b, year)
	b = calendar.AppendTwo(append(b, '-'), int(month))
	return calendar.AppendTwo(append(b, '-'), day)
}

// appendYear writes four digits; a year that has more has a sign, so that it can be told apart.
func appendYear(b []byte, year int) []byte {
	switch {
	case year < 0:
		b = append(b, '-')
		year = -year
	case year > 9999:
		b = append(b, '+')
	}
	for limit := 1000; limit > 1 && year < limit; limit /= 10 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, int64(year), 10)
}

func appendClock(b []byte, nanos int64) []byte {
	seconds, fraction := int(nanos/1e9), int(nanos%1e9)
	b = calendar.AppendTwo(b, seconds/3600)
	b = calendar.AppendTwo(append(b, ':'), seconds/60%60)
	if seconds%60 == 0 && fraction == 0 {
		return b
	}
	return appendFraction(calendar.AppendTwo(append(b, ':'), seconds%60), fraction)
}

// appendFraction writes billionths after the point, if there are any.
func appendFraction(b []byte, nanos int) []byte {
	if nanos == 0 {
		return b
	}
	digits := strconv.Itoa(1e9 + nanos)[1:]
	end := len(digits)
	for digits[end-1] == '0' {
		end--
	}
	return append(append(b, '.'), digits[:end]...)
}

func appendMoment(b []byte, t time.Time) []byte {
	date, clock := calendar.Split(t)
	return appendClock(append(appendDate(b, date), 'T'), clock)
}

func appendZoned(b []byte, t time.Time) []byte {
	_, offset := t.Zone()
	b = calendar.AppendOffset(appendMoment(b, t), offset)
	if zone := t.Location().String(); zone != "" {
		b = append(append(append(b, '['), zone...), ']')
	}
	return b
}

func appendSpan(b []byte, s Span) []byte {
	b = append(b, 'P')
	b = appendPart(b, s.Months/12, 'Y')
	b = appendPart(b, s.Months%12, 'M')
	b = appendPart(b, s.Days, 'D')
	if s.Seconds == 0 && s.Nanos == 0 {
		if len(b) > 0 && b[len(b)-1] == 'P' {
			b = append(b, "T0S"...)
		}
		return b
	}
	return appendSpanClock(append(b, 'T'), s)
}

func appendPart(b []byte, n int64, unit byte) []byte {
	if n == 0 {
		return b
	}
	return append(strconv.AppendInt(b, n, 10), unit)
}

// appendSpanClock writes a negative duration with its fraction counted downwards, as it is read.
func appendSpanClock(b []byte, s Span) []byte {
	seconds, nanos, negative := s.Seconds, int(s.Nanos), s.Seconds < 0
	if negative && nanos > 0 {
		seconds, nanos = seconds+1, 1e9-nanos
	}
	b = appendPart(b, seconds/3600, 'H')
	b = appendPart(b, seconds/60%60, 'M')
	seconds %= 60
	if seconds == 0 && nanos == 0 {
		return b
	}
	if negative && seconds == 0 {
		b = append(b, '-')
	}
	return append(appendFraction(strconv.AppendInt(b, seconds, 10), nanos), 'S')
}
