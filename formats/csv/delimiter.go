package csv

import (
	"bytes"
	"slices"
)

// delimiters are what a header is tried with.
var delimiters = []byte{',', ';', '\t', '|'}

// guessDelimiter finds what parts the fields of a header line: the delimiter with
// which it reads as a header, else the one that it has most of outside quotes.
func guessDelimiter(line []byte) byte {
	candidates := slices.Clone(delimiters)
	slices.SortStableFunc(candidates, func(a, b byte) int { return countUnquoted(line, b) - countUnquoted(line, a) })
	for _, d := range candidates {
		if isHeader(line, d) {
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
func isHeader(line []byte, delimiter byte) bool {
	var names []string
	for name := range bytes.SplitSeq(line, []byte{delimiter}) {
		names = append(names, string(bytes.Trim(name, " \t\"")))
	}
	for _, d := range dialects {
		if _, ok, wrong := d(names); ok || wrong != nil {
			return true
		}
	}
	return false
}

// Sniff is true when a file that begins with first has a header that Open knows.
func Sniff(first []byte, _ string) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(first, "\r\n"), []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	return bytes.IndexByte(line, 0) < 0 && isHeader(line, guessDelimiter(line))
}
