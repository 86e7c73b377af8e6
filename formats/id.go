package formats

import "strconv"

// Len is the number of ids.
func (ids IDs) Len() int { return len(ids.Ints) }

// At returns row i: a string id when str is not empty, else the integer id.
func (ids IDs) At(i int) (n int64, str string) {
	if ids.Strings != nil && ids.Strings[i] != "" {
		return 0, ids.Strings[i]
	}
	return ids.Ints[i], ""
}

// Text is row i as the user writes it.
func (ids IDs) Text(i int) string {
	n, str := ids.At(i)
	if str != "" {
		return str
	}
	return strconv.FormatInt(n, 10)
}

// Append adds the id that token spells.
func (ids *IDs) Append(token string) {
	if n, ok := ParseID(token); ok {
		ids.AppendInt(n)
		return
	}
	ids.appendText(token)
}

func (ids *IDs) appendText(text string) {
	for len(ids.Strings) < len(ids.Ints) {
		ids.Strings = append(ids.Strings, "")
	}
	ids.Strings = append(ids.Strings, text)
	ids.Ints = append(ids.Ints, 0)
}

// AppendRow adds row i of other, whose text they share.
func (ids *IDs) AppendRow(other IDs, i int) {
	n, text := other.At(i)
	if text == "" {
		ids.AppendInt(n)
		return
	}
	ids.appendText(text)
}

// AppendInt adds an integer id.
func (ids *IDs) AppendInt(n int64) {
	ids.Ints = append(ids.Ints, n)
	if ids.Strings != nil {
		ids.Strings = append(ids.Strings, "")
	}
}

// Reset empties ids and keeps their memory.
func (ids *IDs) Reset() {
	ids.Ints = ids.Ints[:0]
	ids.Strings = nil
}

// ParseID reads token as an integer id. Only the canonical spelling of an integer in
// [0, 2^63) is one: "007", "+7" and "-7" are string ids, so that every id has one spelling.
func ParseID(token string) (int64, bool) {
	if token == "" || len(token) > 19 || (token[0] == '0' && len(token) > 1) {
		return 0, false
	}
	var n uint64
	for i := 0; i < len(token); i++ {
		digit := token[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = n*10 + uint64(digit)
	}
	return int64(n), n < 1<<63
}
