package bolt

import "github.com/penstock-db/penstock/formats/value"

// Metadata of messages are maps; these are their entries.

func entry(key string, v value.Value) value.Entry { return value.Entry{Key: key, Value: v} }

func text(key, s string) value.Entry { return entry(key, value.OfString(s)) }

func integer(key string, i int64) value.Entry { return entry(key, value.OfInt(i)) }

func texts(s []string) value.Value {
	list := make([]value.Value, len(s))
	for i := range s {
		list[i] = value.OfString(s[i])
	}
	return value.OfList(list)
}

// textOf is the string at a key; empty when there is none.
func textOf(m value.Value, key string) string {
	if v := at(m, key); v.Kind() == value.String {
		return v.Str()
	}
	return ""
}

// integerOf is the integer at a key.
func integerOf(m value.Value, key string, otherwise int64) int64 {
	if v := at(m, key); v.Kind() == value.Int {
		return v.Int()
	}
	return otherwise
}

// at is what a map has at a key; null: nothing, or it is no map.
func at(m value.Value, key string) value.Value {
	if m.Kind() != value.Map {
		return value.Value{}
	}
	return m.Get(key)
}
