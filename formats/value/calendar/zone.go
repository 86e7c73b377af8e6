package calendar

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
	"strings"
	"sync"
	"time"
)

// database is release 2026c of the IANA time zone database (in the public domain), as zic compiles
// its files africa to etcetera, factory and backward. Neither that of the machine nor Go's is
// asked: they may have other offsets before 1970, and what a query gives should not depend on
// where it runs. openCypher's TCK has those of this one.
//
//go:embed zoneinfo.zip
var database []byte

var openDatabase = sync.OnceValues(func() (*zip.Reader, error) {
	return zip.NewReader(bytes.NewReader(database), int64(len(database)))
})

// zones remembers those that were asked for: reading one takes long.
var zones sync.Map // name -> *time.Location

// Zone is a time zone by name: "Europe/Stockholm", "America/Los_Angeles" or, as Neo4j takes it, "America/Los Angeles".
func Zone(name string) (*time.Location, error) {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location), nil
	}
	zone, err := load(strings.ReplaceAll(name, " ", "_"))
	if err != nil {
		return nil, &ZoneError{name}
	}
	zones.Store(name, zone)
	return zone, nil
}

func load(name string) (*time.Location, error) {
	archive, err := openDatabase()
	if err != nil {
		return nil, err
	}
	data, err := fs.ReadFile(archive, name)
	if err != nil {
		return nil, err
	}
	return time.LoadLocationFromTZData(name, data)
}

// Known is the zone of t if others know it by its name, or else the offset that it has. Go's UTC
// and its local zone are no names of the database's.
func Known(t time.Time) *time.Location {
	zone := t.Location()
	if zone.String() == "" {
		return zone
	}
	if zone != time.UTC && zone != time.Local {
		if named, err := Zone(zone.String()); err == nil {
			return named
		}
	}
	_, offset := t.Zone()
	return Offset(offset)
}

// Offset is the zone without a name that is some seconds east of UTC.
func Offset(seconds int) *time.Location { return time.FixedZone("", seconds) }

// ZoneError is a time zone that is not known.
type ZoneError struct{ Name string }

func (e *ZoneError) Error() string {
	return "there is no time zone " + e.Name + ": use an offset like +01:00 or a name like Europe/Stockholm"
}

// AppendOffset writes an offset from UTC: Z, +02:00, -01:30:15.
func AppendOffset(b []byte, seconds int) []byte {
	if seconds == 0 {
		return append(b, 'Z')
	}
	sign := byte('+')
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	b = AppendTwo(append(b, sign), seconds/3600)
	b = AppendTwo(append(b, ':'), seconds/60%60)
	if seconds%60 != 0 {
		b = AppendTwo(append(b, ':'), seconds%60)
	}
	return b
}

// AppendTwo writes a number of two digits.
func AppendTwo(b []byte, n int) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }
