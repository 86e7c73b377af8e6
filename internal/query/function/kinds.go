package function

import (
	"strings"

	"github.com/penstock-db/penstock/formats/value"
)

// Kinds is a set of kinds of values.
type Kinds uint32

// KindsOf is the set of some kinds.
func KindsOf(kinds ...value.Kind) Kinds {
	var set Kinds
	for _, kind := range kinds {
		set |= 1 << kind
	}
	return set
}

// Has tells whether a kind is in the set.
func (k Kinds) Has(kind value.Kind) bool { return k&(1<<kind) != 0 }

// String is the kinds as a message lists them.
func (k Kinds) String() string {
	if k == anything {
		return "anything"
	}
	var names []string
	for kind := value.Null; kind <= value.Point; kind++ {
		if k.Has(kind) {
			names = append(names, kind.String())
		}
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// The sets that arguments are of.
var (
	anything = Kinds(1)<<(value.Point+1) - 1
	boolean  = KindsOf(value.Bool)
	integer  = KindsOf(value.Int)
	number   = KindsOf(value.Int, value.Float)
	text     = KindsOf(value.String)
	list     = KindsOf(value.List)
	record   = KindsOf(value.Map)
	duration = KindsOf(value.Duration)
	instant  = KindsOf(value.Date, value.LocalTime, value.Time, value.LocalDateTime, value.DateTime)
)

func takes(kinds ...Kinds) []Kinds { return kinds }
