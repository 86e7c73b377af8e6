package csv

import (
	"bytes"
	"slices"
)

// delimiters are what a header is tried with.
var delimiters = []byte{',', ';', '\t', '|'}

// guessDelimiter finds what parts the fields of a header line: the delimiter with
// which it reads as a header of one of the dialects, else the one that it has most of outside quotes.
func guessDelimiter(line []byte, dialects []dialect) byte {
	candidates := slices.Clone(delimiters)
	slices.SortStableFunc(candidates, func(a, b byte) int { return countUnquoted(line, b) - countUnquoted(line, a) })
	for _, d := range candidates {
		if isHeader(line, d, dialects) {
			return d
		}
	}
	return candidates[0]
}

func countUnquoted(line []byte, delimiter byte) int {
	count := 0
	for i, part := range bytes.Split(line, []byte{'"'}) {
		if i%2 == 0 {
			count += bytes.Count(part, []byte{delimiter})
		}
	}
	return count
}

// isHeader is true when a dialect knows the line, even if something in it is wrong.
func isHeader(line []byte, delimiter byte, dialects []dialect) bool {
	names := fieldsOf(line, delimiter)
	for _, d := range dialects {
		if _, ok, wrong := d(names); ok || wrong != nil {
			return true
		}
	}
	return false
}

// fieldsOf are the fields of a header line.
func fieldsOf(line []byte, delimiter byte) (names []string) {
	for name := range bytes.SplitSeq(line, []byte{delimiter}) {
		names = append(names, string(bytes.Trim(name, " \t\"")))
	}
	return names
}

// Sniff is true when a file that begins with first has a header that Open knows.
func Sniff(first []byte, _ string) bool {
	line := firstLine(first)
	return bytes.IndexByte(line, 0) < 0 && isHeader(line, guessDelimiter(line, dialects), dialects)
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(bytes.TrimLeft(text, "\r\n"), []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}
