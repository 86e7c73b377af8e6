package engine

import (
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// A share that is none of the graph's, or cuts a word of the active set, is refused, as is one of a
// task that could not go on from what others have.
func TestNewShare_RefusesWhatIsNone(t *testing.T) {
	for name, c := range map[string]struct {
		share              chunk.Interval
		restorable, settle bool
		fits               bool
	}{
		"first":           {chunk.Interval{Count: 64}, true, false, true},
		"last":            {chunk.Interval{Base: 64, Count: 36}, true, false, true},
		"empty":           {chunk.Interval{}, true, false, true},
		"not restorable":  {chunk.Interval{Count: 64}, false, false, false},
		"settles":         {chunk.Interval{Count: 64}, true, true, false},
		"cuts a word":     {chunk.Interval{Base: 32, Count: 68}, true, false, false},
		"ends in a word":  {chunk.Interval{Count: 70}, true, false, false},
		"beyond the end":  {chunk.Interval{Base: 64, Count: 64}, true, false, false},
		"begins after it": {chunk.Interval{Base: 128}, true, false, false},
		"overflows":       {chunk.Interval{Base: 64, Count: 1<<64 - 64}, true, false, false},
	} {
		own, err := newShare(plugins.Task{Share: &c.share, Restorable: c.restorable, Settle: c.settle}, 100)
		if (err == nil) != c.fits || (own != nil) != c.fits || !c.fits && plugins.KindOf(err) != plugins.KindInvalid {
			t.Errorf("%s: %+v, error %v", name, own, err)
		}
	}
}
