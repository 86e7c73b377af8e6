package terminal

import (
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// Bytes is an amount of bytes in binary units.
func Bytes(n uint64) string { return humanize.IBytes(n) }

// Count is a number with separators.
func Count(n uint64) string { return humanize.Comma(int64(n)) }

// Seconds is a duration that is given in seconds.
func Seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(10 * time.Microsecond).String()
}

// List is names with commas in between.
func List(names []string) string { return strings.Join(names, ", ") }
