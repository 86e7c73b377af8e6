package batch

import (
	"unicode"
	"unicode/utf8"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// ExpectedID says in an error what AppendID accepts, if it is no longer than formats.MaxID.
const ExpectedID = "an id: an integer from 0 to 9223372036854775807 without leading zeros, or a name that starts with a letter"

// AppendID appends an integer id, or a name that starts with a letter or _. It is
// false for anything else, above all for numbers that are no ids: "-5", "007", "1.5".
func AppendID(ids *formats.IDs, field []byte) bool {
	if len(field) > formats.MaxID {
		return false
	}
	if n, ok := formats.ParseID(string(field)); ok {
		ids.AppendInt(n)
		return true
	}
	first, _ := utf8.DecodeRune(field)
	if !unicode.IsLetter(first) && first != '_' || !utf8.Valid(field) {
		return false
	}
	ids.Append(string(field))
	return true
}

// BadID is the error for a field of a line that AppendID refuses. It starts in that column.
func BadID(lines *input.Lines, column int, field []byte) error {
	if len(field) > formats.MaxID {
		at := lines.Position()
		at.Column = column
		return formats.LongID(at)
	}
	return lines.Bad(column, "id "+input.Quote(field), ExpectedID)
}
