package parse

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// number is the value of a number, or of a number after a minus.
func (b *builder) number(t *token, negative bool) value.Value {
	if t.kind == grammar.CypherInteger {
		return value.OfInt(b.integer(t, negative))
	}
	f, err := strconv.ParseFloat(t.GetText(), 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		b.fail("FloatingPointOverflow", t.at(), "%s is too large for a float: the largest is 1.7976931348623157e308",
			t.GetText())
	case err != nil:
		b.invalidNumber(t)
	case negative:
		f = -f
	}
	return value.OfFloat(f)
}

func (b *builder) invalidNumber(t *token) {
	b.fail("InvalidNumberLiteral", t.at(), "%q is not a number", t.GetText())
}

// integer is decimal, 0x… or 0o….
func (b *builder) integer(t *token, negative bool) int64 {
	digits, base := t.GetText(), 10
	if hasRadix(digits) {
		base = map[byte]int{'x': 16, 'o': 8}[digits[1]|0x20]
		digits = digits[2:]
	}
	size, err := strconv.ParseUint(digits, base, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) || size > 1<<63 || size == 1<<63 && !negative:
		b.fail("IntegerOverflow", t.at(), "%s does not fit an integer of 64 bits: they are from %d to %d", t.GetText(),
			math.MinInt64, math.MaxInt64)
	case err != nil:
		b.invalidNumber(t)
	}
	if negative {
		return -int64(size)
	}
	return int64(size)
}

var escapes = map[byte]byte{
	'\\': '\\', '\'': '\'', '"': '"', '`': '`', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// text is what a string in quotes stands for.
func (b *builder) text(t *token) string {
	quoted := t.GetText()
	rest := quoted[1 : len(quoted)-1]
	if strings.IndexByte(rest, '\\') < 0 {
		return rest
	}
	var plain []byte
	for i := strings.IndexByte(rest, '\\'); i >= 0; i = strings.IndexByte(rest, '\\') {
		plain = append(plain, rest[:i]...)
		plain, rest = b.escape(plain, rest[i+1:], t)
	}
	return string(append(plain, rest...))
}

// escape appends what stands after a back-slash, and returns what follows.
func (b *builder) escape(plain []byte, rest string, t *token) ([]byte, string) {
	switch c := rest[0]; c {
	case 'u', 'U':
		r, rest := b.unicode(rest, t)
		return utf8.AppendRune(plain, r), rest
	default:
		char, ok := escapes[c]
		if !ok {
			b.fail("UnexpectedSyntax", t.at(), `\%c in a string stands for nothing: a back-slash itself is \\`, c)
		}
		return append(plain, char), rest[1:]
	}
}

// unicode is the character of uXXXX or UXXXXXXXX; two halves of one make one.
func (b *builder) unicode(rest string, t *token) (rune, string) {
	r, after := b.hex(rest, t)
	if utf16.IsSurrogate(r) && strings.HasPrefix(after, `\u`) {
		low, end := b.hex(after[1:], t)
		return utf16.DecodeRune(r, low), end
	}
	return r, after
}

func (b *builder) hex(rest string, t *token) (rune, string) {
	length := 1 + 4
	if rest[0] == 'U' {
		length = 1 + 8
	}
	code, err := strconv.ParseUint(rest[1:min(length, len(rest))], 16, 32)
	if err != nil || len(rest) < length || code > utf8.MaxRune {
		b.fail("InvalidUnicodeLiteral", t.at(), `\%c needs %d hexadecimal digits of a character`, rest[0], length-1)
		return utf8.RuneError, ""
	}
	return rune(code), rest[length:]
}
