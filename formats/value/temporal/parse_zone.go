package temporal

import (
	"strconv"
	"strings"
	"time"

	"github.com/penstock-db/penstock/formats/value/calendar"
)

// ParseZone reads a time zone: an offset from UTC, or a name.
func ParseZone(text string) (*time.Location, error) {
	if !offsets().MatchString(text) {
		return calendar.Zone(text)
	}
	offset, err := parseOffset(text)
	return calendar.Offset(int(offset)), err
}

var offsets = inFull(offsetForm)

// parseOffset reads what looks like an offset: Z, +01, +0100, +01:00:30.
func parseOffset(text string) (int32, error) {
	if strings.EqualFold(text, "Z") {
		return 0, nil
	}
	digits := strings.ReplaceAll(text[1:], ":", "") + "0000"
	n, _ := strconv.Atoi(digits[:6])
	seconds := int64(n/10000*3600 + n/100%100*60 + n%100)
	if n/100%100 > 59 || n%100 > 59 || seconds > calendar.MaxOffset {
		return 0, &calendar.ZoneError{Name: text}
	}
	if text[0] == '-' {
		seconds = -seconds
	}
	return int32(seconds), nil
}
