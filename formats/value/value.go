package value

import (
	"math"
	"slices"
	"strings"
	"unsafe"
)

// Kind is a type of values.
type Kind uint8

// The kinds. The zero Value is null.
const (
	Null Kind = iota
	Bool
	Int    // 64 bits
	Float  // 64 bits
	String // UTF-8
	List
	Map
	Node
	Relationship
	Path
	Date
	LocalTime
	Time
	LocalDateTime
	DateTime
	Duration
	Point
)

// Value is an immutable value of any kind. Values are not compared by ==: see Equal, Equivalent
// and Compare.
//
// It has four fields: the compiler keeps no struct of more in registers, which makes queries
// three times as slow.
type Value struct {
	head
	weight uint32         // of what is in a list or map: see Size
	bits   uint64         // the value itself, or the length of what ref leads to
	ref    unsafe.Pointer // nil where bits is all
}

type head struct {
	kind  Kind
	depth uint8 // of lists and maps: see Depth
}

// Kind of the value.
func (v Value) Kind() Kind { return v.kind }

// IsNull tells whether there is no value.
func (v Value) IsNull() bool { return v.kind == Null }

// OfBool is a boolean.
func OfBool(b bool) Value {
	if b {
		return Value{head: head{kind: Bool}, bits: 1}
	}
	return Value{head: head{kind: Bool}}
}

// OfInt is an integer.
func OfInt(i int64) Value { return Value{head: head{kind: Int}, bits: uint64(i)} }

// OfFloat is a float.
func OfFloat(f float64) Value { return Value{head: head{kind: Float}, bits: math.Float64bits(f)} }

// OfString is a string; its bytes are not copied.
func OfString(s string) Value {
	return Value{head: head{kind: String}, bits: uint64(len(s)), ref: unsafe.Pointer(unsafe.StringData(s))}
}

// OfList is a list, which must not be changed any more.
func OfList(elements []Value) Value {
	v := Value{head: head{kind: List, depth: 1}, bits: uint64(len(elements)),
		ref: unsafe.Pointer(unsafe.SliceData(elements))}
	for i := range elements {
		v.contain(&elements[i], 0)
	}
	return v
}

// Entry is a key of a map and its value.
type Entry struct {
	Key   string
	Value Value
}

// OfEntries is a map. It sorts entries by key, which must differ, and keeps the slice.
func OfEntries(entries []Entry) Value {
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Key, b.Key) })
	v := Value{head: head{kind: Map, depth: 1}, bits: uint64(len(entries)), ref: unsafe.Pointer(unsafe.SliceData(entries))}
	for i := range entries {
		v.contain(&entries[i].Value, len(entries[i].Key)+stringBytes)
	}
	return v
}

// OfMap is a map.
func OfMap(m map[string]Value) Value {
	entries := make([]Entry, 0, len(m))
	for key, v := range m {
		entries = append(entries, Entry{key, v})
	}
	return OfEntries(entries)
}

// OfNodeID is a node within a query: who has it asks the transaction for all else.
func OfNodeID(id uint64) Value { return Value{head: head{kind: Node}, bits: id} }

// OfNode is a node with what it has, as a result holds it.
func OfNode(n *NodeContent) Value {
	return Value{head: head{kind: Node}, bits: n.ID, ref: unsafe.Pointer(n)}
}

// OfRelationshipID is a relationship within a query.
func OfRelationshipID(id uint64) Value { return Value{head: head{kind: Relationship}, bits: id} }

// OfRelationship is a relationship with what it has, as a result holds it.
func OfRelationship(r *RelationshipContent) Value {
	return Value{head: head{kind: Relationship}, bits: r.ID, ref: unsafe.Pointer(r)}
}

// OfPath is a path.
func OfPath(p *PathContent) Value { return Value{head: head{kind: Path}, ref: unsafe.Pointer(p)} }

// Bool is the value of a boolean.
func (v Value) Bool() bool { return v.must(Bool).bits != 0 }

// Int is the value of an integer.
func (v Value) Int() int64 { return int64(v.must(Int).bits) }

// Float is the value of a float.
func (v Value) Float() float64 { return math.Float64frombits(v.must(Float).bits) }

// Number is the value of an integer or a float, as a float.
func (v Value) Number() float64 {
	if v.kind == Int {
		return float64(int64(v.bits))
	}
	return v.Float()
}

// IsNumber tells whether it is an integer or a float.
func (v Value) IsNumber() bool { return v.kind == Int || v.kind == Float }

// Str is the text of a string.
func (v Value) Str() string { return unsafe.String((*byte)(v.must(String).ref), int(v.bits)) }

// List is the elements of a list, not to be changed.
func (v Value) List() []Value { return unsafe.Slice((*Value)(v.must(List).ref), int(v.bits)) }

// Map is the entries of a map by ascending key, not to be changed.
func (v Value) Map() []Entry { return unsafe.Slice((*Entry)(v.must(Map).ref), int(v.bits)) }

// Get is the value of a key of a map; null: there is none.
func (v Value) Get(key string) Value { return Lookup(v.Map(), key) }

// Lookup finds a key in entries that ascend by key; null: there is none.
func Lookup(entries []Entry, key string) Value {
	i, ok := slices.BinarySearchFunc(entries, key, func(e Entry, key string) int { return strings.Compare(e.Key, key) })
	if !ok {
		return Value{}
	}
	return entries[i].Value
}

// ID of a node or relationship.
func (v Value) ID() uint64 {
	if v.kind != Relationship {
		v.must(Node)
	}
	return v.bits
}

// Node is what a node has; nil within a query.
func (v Value) Node() *NodeContent { return (*NodeContent)(v.must(Node).ref) }

// Relationship is what a relationship has; nil within a query.
func (v Value) Relationship() *RelationshipContent {
	return (*RelationshipContent)(v.must(Relationship).ref)
}

// Path is what a path consists of.
func (v Value) Path() *PathContent { return (*PathContent)(v.must(Path).ref) }

// must panics when the value is of another kind: a mistake of the caller's, who has to look first.
func (v Value) must(kind Kind) Value {
	if v.kind != kind {
		panic("value: a " + v.kind.String() + " is used as a " + kind.String())
	}
	return v
}
