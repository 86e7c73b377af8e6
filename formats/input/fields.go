package input

import (
	"bytes"
	"math"
	"strconv"
)

// Fields splits a line at runs of blanks and tabs. With Comma set, one comma between
// two fields also parts them, so that "1,,2" has an empty field.
type Fields struct {
	Comma  bool
	Column int // where the last field starts, from 1

	line []byte
	pos  int
	owed bool // a comma was read and its right-hand field not yet
}

// Reset starts at the beginning of line.
func (f *Fields) Reset(line []byte) { f.line, f.pos, f.owed = line, 0, false }

// Next is the next field; ok is false when there is none.
func (f *Fields) Next() (field []byte, ok bool) {
	start := skipBlanks(f.line, f.pos)
	if f.Column = start + 1; start == len(f.line) && !f.owed {
		return nil, false
	}
	end := start
	for end < len(f.line) && !f.parts(f.line[end]) {
		end++
	}
	f.pos, f.owed = skipBlanks(f.line, end), false
	if f.Comma && f.pos < len(f.line) && f.line[f.pos] == ',' {
		f.pos, f.owed = f.pos+1, true
	}
	return f.line[start:end], true
}

// Count is the number of fields in line.
func (f Fields) Count(line []byte) int {
	n := 0
	for f.Reset(line); ; n++ {
		if _, ok := f.Next(); !ok {
			return n
		}
	}
}

func (f *Fields) parts(c byte) bool { return isBlank(c) || f.Comma && c == ',' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func skipBlanks(line []byte, i int) int {
	for i < len(line) && isBlank(line[i]) {
		i++
	}
	return i
}

// ParseInt reads a decimal integer that fits an int64.
func ParseInt(field []byte) (int64, bool) {
	n, err := strconv.ParseInt(string(field), 10, 64)
	return n, err == nil
}

// ParseFloat reads a finite decimal number; NaN, infinities and what overflows are
// none, nor are Go's hexadecimal numbers and underscores.
func ParseFloat(field []byte) (float64, bool) {
	if x, ok := shortDecimal(field); ok {
		return x, true
	}
	x, err := strconv.ParseFloat(string(field), 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) && !bytes.ContainsAny(field, "_xX")
}

// shortDecimal reads digits, with a point among them or not, that are 15 at the most: so
// long a number and that power of ten are floats, and so their quotient is rounded once.
// (Clinger, "How to read floating point numbers accurately", PLDI 1990.)
func shortDecimal(field []byte) (float64, bool) {
	if len(field) == 0 || len(field) > 16 {
		return 0, false
	}
	digits, point := int64(0), -1
	for i, c := range field {
		switch {
		case c-'0' <= 9:
			digits = 10*digits + int64(c-'0')
		case c == '.' && point < 0:
			point = i
		default:
			return 0, false
		}
	}
	if point < 0 {
		return float64(digits), len(field) <= 15
	}
	return float64(digits) / powersOfTen[len(field)-1-point], len(field) > 1
}

var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}
