package check

import (
	"strings"

	"github.com/penstock-db/penstock/formats/value"
)

// Kinds is a set of kinds of values: bit k stands for kind k.
type Kinds uint32

// KindsOf is the set of some kinds.
func KindsOf(kinds ...value.Kind) Kinds {
	var set Kinds
	for _, kind := range kinds {
		set |= 1 << kind
	}
	return set
}

const all = Kinds(1)<<(value.Point+1) - 1

var (
	null      = KindsOf(value.Null)
	boolean   = KindsOf(value.Bool)
	integer   = KindsOf(value.Int)
	numbers   = KindsOf(value.Int, value.Float)
	entities  = KindsOf(value.Node, value.Relationship)
	temporals = KindsOf(value.Date, value.LocalTime, value.Time, value.LocalDateTime, value.DateTime, value.Duration)
	structure = KindsOf(value.List, value.Map, value.Node, value.Relationship, value.Path)
)

func (k Kinds) String() string {
	var names []string
	for kind := value.Bool; kind <= value.Point; kind++ {
		if k&(1<<kind) != 0 {
			names = append(names, kind.String())
		}
	}
	if len(names) == 0 {
		return value.Null.String()
	}
	return strings.Join(names, " or ")
}

// Type is what is known of a value.
type Type struct {
	kinds   Kinds // that it may be of
	element *Type // what the elements of a list may be; nil: anything
}

var anything = Type{kinds: all}

func of(kinds ...value.Kind) Type { return Type{kinds: KindsOf(kinds...)} }

func listOf(element Type) Type {
	return Type{kinds: KindsOf(value.List), element: &element}
}

// may tells whether a value can be of some kinds. Null alone does everywhere.
func (t Type) may(kinds Kinds) bool { return t.kinds&^null == 0 || t.kinds&kinds != 0 }

// elements is the type of the elements, if it is a list.
func (t Type) elements() Type {
	if t.element == nil || t.kinds&^(KindsOf(value.List)|null) != 0 {
		return anything
	}
	return *t.element
}

// or is the type of a value that is of one type or the other.
func (t Type) or(other Type) Type {
	both := Type{kinds: t.kinds | other.kinds}
	if t.element != nil && other.element != nil {
		element := t.element.or(*other.element)
		both.element = &element
	}
	return both
}

// named is a type by the name that signatures of procedures have for it.
func named(name string) Type {
	switch strings.ToUpper(strings.TrimSuffix(name, "?")) {
	case "BOOLEAN":
		return of(value.Bool, value.Null)
	case "INTEGER", "FLOAT", "NUMBER": // numbers pass for each other, see execute
		return of(value.Int, value.Float, value.Null)
	case "STRING":
		return of(value.String, value.Null)
	case "MAP":
		return of(value.Map, value.Null)
	case "LIST":
		return of(value.List, value.Null)
	case "NODE":
		return of(value.Node, value.Null)
	case "RELATIONSHIP":
		return of(value.Relationship, value.Null)
	case "PATH":
		return of(value.Path, value.Null)
	}
	return anything
}
