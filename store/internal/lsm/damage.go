package lsm

import (
	"fmt"
	"path/filepath"
)

// Damage is a place in a file that is not what was once written there.
type Damage struct {
	File   string // its path
	Offset int64  // of the damaged part; -1: the file as a whole
	Reason string
	// Lost are the keys that may have been there; nil: any.
	Lost *Range
}

// Range is the keys from First on and before End; an empty End is behind all keys.
type Range struct{ First, End string }

func (d *Damage) Error() string {
	if d.Offset < 0 {
		return fmt.Sprintf("%s: %s", filepath.Base(d.File), d.Reason)
	}
	return fmt.Sprintf("%s at byte %d: %s", filepath.Base(d.File), d.Offset, d.Reason)
}

// nothing is the keys that are lost with what holds none.
var nothing = &Range{First: "\xFF"}

// mayHold tells whether a key with this prefix may have been lost.
func (d *Damage) mayHold(prefix string) bool {
	if d.Lost == nil {
		return true
	}
	after := prefixEnd(prefix)
	return (after == "" || d.Lost.First < after) && (d.Lost.End == "" || d.Lost.End > prefix)
}

// prefixEnd is the first key behind all keys with the prefix; "": there is none.
func prefixEnd(prefix string) string {
	b := []byte(prefix)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] < 0xFF {
			b[i]++
			return string(b[:i+1])
		}
	}
	return ""
}
