package schedule

import (
	"math"
	"testing"
	"time"
)

// A line goes through what it was told, as far as that is one.
func TestLine(t *testing.T) {
	at := func(what string, l line, bytes, want float64) {
		t.Helper()
		if got := l.at(bytes); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v bytes take %v s, want %v", what, bytes, got, want)
		}
	}
	var l line
	at("nothing is known", l, 100, 0)
	l.add(2*time.Second, 10, 1)
	at("one load", l, 20, 4)
	l.add(3*time.Second, 20, 1)
	at("two loads", l, 40, 5)
	at("two loads", l, 0, 1)

	var down line
	down.add(4*time.Second, 10, 1)
	down.add(2*time.Second, 20, 1)
	at("more bytes took less", down, 30, 6)
	var below line
	below.add(time.Second, 10, 1)
	below.add(5*time.Second, 20, 1)
	at("no bytes would take less than nothing", below, 10, 2)

	var alike line // is halved again and again, and what is left of a spread is rounding
	for range 50 {
		var one line
		one.add(20*100*time.Microsecond, 20*1e4, 20)
		alike.renew(one)
		at("loads of one size", alike, 1e6, 0.01)
	}

	if got := l.within(15, 7); got != l.at(15) {
		t.Errorf("within what was measured: %v s", got)
	}
	if got, want := l.within(30, 7), l.at(20)+70; math.Abs(got-want) > 1e-9 {
		t.Errorf("beyond what was measured: %v s, want %v", got, want)
	}

	var together, apart line
	together.add(6*time.Second, 30, 3)
	for range 3 {
		apart.add(2*time.Second, 10, 1)
	}
	if together != apart {
		t.Errorf("three loads together are %+v, one by one %+v", together, apart)
	}

	var old line
	old.add(8*time.Second, 8, 1)
	var later line
	later.add(2*time.Second, 8, 1)
	old.renew(later)
	at("what is old counts half", old, 8, 4)
	before := old
	if old.renew(line{}); old != before {
		t.Errorf("nothing was measured, yet %+v is %+v", before, old)
	}
}

func TestLine_String(t *testing.T) {
	var none, fast line
	fast.add(0, 10, 1)
	if none.String() != "not measured" || fast.String() != "none" {
		t.Errorf("%s, %s", none, fast)
	}
	var l line
	l.add(2*time.Second, 3e9, 1)
	if l.String() != "1.5 GB/s" {
		t.Error(l.String())
	}
}

func TestTimes_Add(t *testing.T) {
	a := Times{1, 2, 3, 4, 5}
	a.Add(Times{10, 20, 30, 40, 50})
	if a != (Times{11, 22, 33, 44, 55}) {
		t.Errorf("got %+v", a)
	}
}
