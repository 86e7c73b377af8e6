package function

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/penstock-db/penstock/formats/value"
)

func init() {
	upper, lower := pure("toUpper", 1, takes(text), ofText(strings.ToUpper)),
		pure("toLower", 1, takes(text), ofText(strings.ToLower))
	length := pure("char_length", 1, takes(text), size)
	trimmed := trim(strings.TrimSpace, strings.Trim)
	Register(
		upper, alias("upper", upper), lower, alias("lower", lower), length, alias("character_length", length),
		pure("trim", 1, takes(text, text), trimmed), pure("btrim", 1, takes(text, text), trimmed),
		pure("ltrim", 1, takes(text, text), trim(trimSpaceLeft, strings.TrimLeft)),
		pure("rtrim", 1, takes(text, text), trim(trimSpaceRight, strings.TrimRight)),
		pure("left", 2, takes(text, integer), left), pure("right", 2, takes(text, integer), right),
		pure("substring", 2, takes(text, integer, integer), substring),
		pure("replace", 3, takes(text, text, text, integer), replace),
		pure("split", 2, takes(text, text|list), split),
	)
}

func ofText(f func(string) string) body {
	return func(_ *Call, args []value.Value) (value.Value, error) { return value.OfString(f(args[0].Str())), nil }
}

// trim takes away space, or any of the characters of a second argument.
func trim(space func(string) string, set func(s, of string) string) body {
	return func(_ *Call, args []value.Value) (value.Value, error) {
		if len(args) == 1 {
			return value.OfString(space(args[0].Str())), nil
		}
		return value.OfString(set(args[0].Str(), args[1].Str())), nil
	}
}

func trimSpaceLeft(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }

func trimSpaceRight(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }

func left(_ *Call, args []value.Value) (value.Value, error) {
	n := args[1].Int()
	if n < 0 {
		return value.Value{}, outOfRange("left() takes a length of 0 or more, not %d", n)
	}
	s := args[0].Str()
	return value.OfString(s[:runeIndex(s, n)]), nil
}

func right(_ *Call, args []value.Value) (value.Value, error) {
	n := args[1].Int()
	if n < 0 {
		return value.Value{}, outOfRange("right() takes a length of 0 or more, not %d", n)
	}
	s := args[0].Str()
	return value.OfString(s[runeIndex(s, int64(utf8.RuneCountInString(s))-n):]), nil
}

// substring counts characters from 0.
func substring(_ *Call, args []value.Value) (value.Value, error) {
	s, from := args[0].Str(), args[1].Int()
	if from < 0 || len(args) == 3 && args[2].Int() < 0 {
		return value.Value{}, outOfRange("substring() takes a start and a length of 0 or more")
	}
	s = s[runeIndex(s, from):]
	if len(args) == 3 {
		s = s[:runeIndex(s, args[2].Int())]
	}
	return value.OfString(s), nil
}

// runeIndex is where the nth character begins; the end of the string if it has fewer.
func runeIndex(s string, n int64) int {
	for i := range s {
		if n <= 0 {
			return i
		}
		n--
	}
	return len(s)
}

func replace(call *Call, args []value.Value) (value.Value, error) {
	s, old, new, most := args[0].Str(), args[1].Str(), args[2].Str(), -1
	if len(args) == 4 {
		most = int(max(args[3].Int(), 0))
	}
	if err := call.charge(int64(len(s)) + int64(strings.Count(s, old))*int64(len(new))); err != nil {
		return value.Value{}, err
	}
	return value.OfString(strings.Replace(s, old, new, most)), nil
}

// split at a string, or at any of some strings.
func split(call *Call, args []value.Value) (value.Value, error) {
	separators := elements(args[1])
	parts := []string{args[0].Str()}
	for _, separator := range separators {
		if separator.Kind() != value.String {
			return null()
		}
		var finer []string
		if err := call.charge(fragments(parts, separator.Str()) * int64(unsafe.Sizeof(value.Value{})+
			unsafe.Sizeof(""))); err != nil {
			return value.Value{}, err
		}
		for _, part := range parts {
			finer = append(finer, strings.Split(part, separator.Str())...)
		}
		parts = finer
	}
	return texts(parts), nil
}

// fragments is how many there are of some strings that are split.
func fragments(parts []string, separator string) int64 {
	n := int64(len(parts))
	for _, part := range parts {
		n += int64(strings.Count(part, separator))
	}
	return n
}

func texts(of []string) value.Value {
	values := make([]value.Value, len(of))
	for i, s := range of {
		values[i] = value.OfString(s)
	}
	return value.OfList(values)
}

// reversed is a string from its end.
func reversed(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}
