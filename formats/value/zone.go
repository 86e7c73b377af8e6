package value

import (
	"sync"
	"time"
	_ "time/tzdata" // zones are known wherever the program runs
)

// zones remembers those that were asked for: reading one takes long.
var zones sync.Map // name -> *time.Location

// Zone is a time zone by name: "Europe/Stockholm".
func Zone(name string) (*time.Location, error) {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location), nil
	}
	if name == "" || name == "Local" {
		return nil, &ZoneError{name}
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, &ZoneError{name}
	}
	zones.Store(name, zone)
	return zone, nil
}

// Offset is the zone without a name that is some seconds east of UTC.
func Offset(seconds int) *time.Location { return time.FixedZone("", seconds) }

// ZoneError is a time zone that is not known.
type ZoneError struct{ Name string }

func (e *ZoneError) Error() string {
	return "there is no time zone " + e.Name + ": use an offset like +01:00 or a name like Europe/Stockholm"
}
