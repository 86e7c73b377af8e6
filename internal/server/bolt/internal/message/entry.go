package message

import "github.com/penstock-db/penstock/formats/value"

// Metadata of messages are maps; these are their entries.

// Entry is any value at a key.
func Entry(key string, v value.Value) value.Entry { return value.Entry{Key: key, Value: v} }

// Text is a string at a key.
func Text(key, s string) value.Entry { return Entry(key, value.OfString(s)) }

// Integer is an integer at a key.
func Integer(key string, i int64) value.Entry { return Entry(key, value.OfInt(i)) }

// Texts is a list of strings.
func Texts(s []string) value.Value {
	list := make([]value.Value, len(s))
	for i := range s {
		list[i] = value.OfString(s[i])
	}
	return value.OfList(list)
}

// TextOf is the string at a key; empty when there is none.
func TextOf(m value.Value, key string) string {
	if v := At(m, key); v.Kind() == value.String {
		return v.Str()
	}
	return ""
}

// IntegerOf is the integer at a key.
func IntegerOf(m value.Value, key string, otherwise int64) int64 {
	if v := At(m, key); v.Kind() == value.Int {
		return v.Int()
	}
	return otherwise
}

// At is what a map has at a key; null: nothing, or it is no map.
func At(m value.Value, key string) value.Value {
	if m.Kind() != value.Map {
		return value.Value{}
	}
	return m.Get(key)
}

// StringsOf is the strings of a list; nil: it is no list.
func StringsOf(v value.Value) []string {
	if v.Kind() != value.List {
		return nil
	}
	var s []string
	for _, e := range v.List() {
		if e.Kind() == value.String {
			s = append(s, e.Str())
		}
	}
	return s
}
