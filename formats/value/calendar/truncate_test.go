package calendar

import (
	"errors"
	"testing"
)

func TestTruncate(t *testing.T) {
	type date [3]int64
	day := func(d date) int64 {
		day, err := DayOf(d[0], d[1], d[2])
		if err != nil {
			t.Fatal(err)
		}
		return day
	}
	of := day(date{2017, 11, 11})
	for unit, want := range map[string]date{
		"millennium": {2000, 1, 1}, "century": {2000, 1, 1}, "decade": {2010, 1, 1}, "year": {2017, 1, 1},
		"weekyear": {2017, 1, 2}, "quarter": {2017, 10, 1},
		"month": {2017, 11, 1}, "week": {2017, 11, 6}, "day": {2017, 11, 11},
	} {
		if got, err := TruncateDay(of, unit); err != nil || got != day(want) {
			t.Errorf("%s: %s, want %v; %v", unit, Midnight(got), want, err)
		}
	}
	if got, err := TruncateDay(day(date{-1, 6, 1}), "century"); err != nil || got != day(date{-100, 1, 1}) {
		t.Error(Midnight(got), err)
	}
	if _, err := TruncateDay(of, "hour"); !errors.As(err, new(*UnitError)) {
		t.Error(err)
	}
	if _, err := TruncateClock(1, "week"); !errors.As(err, new(*UnitError)) {
		t.Error(err)
	}
}
