package csv

import (
	"fmt"
	"strconv"
	"strings"
)

// Columns without a type in a header of plain names get one from the values of at
// most this many records, or bytes in memory.
const (
	inferRows  = 1000
	inferBytes = 4 << 20
)

// guess is what type all values seen so far have. A greater one includes a lesser
// one, except that booleans and numbers meet only in text.
type guess uint8

const (
	unseen guess = iota
	integers
	floats
	booleans
	text
)

var guessed = map[guess]scalar{
	unseen: stringType, integers: integerType, floats: floatType, booleans: booleanType, text: stringType,
}

// join is the narrowest guess that includes both.
func (g guess) join(other guess) guess {
	if g > other {
		g, other = other, g
	}
	if g == unseen || g == other || g == integers && other == floats {
		return other
	}
	return text
}

// guessOf is the narrowest type of one value. Numbers with leading zeros are text:
// they are codes, and their zeros would be lost.
func guessOf(value string) guess {
	lower := strings.ToLower(value)
	digits := strings.TrimPrefix(value, "-")
	_, notInteger := strconv.ParseInt(value, 10, 64)
	_, notFloat := strconv.ParseFloat(value, 64)
	switch {
	case lower == "true" || lower == "false":
		return booleans
	case len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9':
		return text
	case notInteger == nil && value[0] != '+':
		return integers
	case notFloat == nil:
		return floats
	}
	return text
}

// infer gives every column that needs it a type, the same one in all files.
func infer(files []*file) {
	guesses := map[string]guess{}
	declared := map[string]valueType{}
	for _, f := range files {
		f.declaredTypes(declared)
		f.guessTypes(guesses)
	}
	for _, f := range files {
		for i := range f.header.columns {
			c := &f.header.columns[i]
			if !c.inferred {
				continue
			}
			t, ok := declared[c.name]
			if !ok {
				t = valueType{scalar: guessed[guesses[c.name]]}
			}
			c.valueType = t
			c.expected += fmt.Sprintf(", as in the first rows; or name a type in the header, such as %s:string", c.name)
		}
	}
}

func (f *file) declaredTypes(types map[string]valueType) {
	for _, c := range f.header.columns {
		if c.name != "" && !c.inferred {
			types[c.name] = c.valueType
		}
	}
}

func (f *file) guessTypes(guesses map[string]guess) {
	inferred := false
	for _, c := range f.header.columns {
		inferred = inferred || c.inferred
	}
	if !inferred {
		return
	}
	f.peek(inferRows, inferBytes, func() {
		for i, c := range f.header.columns {
			if c.inferred && i < len(f.fields) && !f.null(i) {
				guesses[c.name] = guesses[c.name].join(guessOf(string(f.token(i))))
			}
		}
	})
}
