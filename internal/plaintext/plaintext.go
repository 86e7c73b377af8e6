// Package plaintext keeps texts that others have written from telling a terminal what to do, by control characters or
// by those that change the direction of what follows.
package plaintext

import (
	"errors"
	"strings"
	"unicode"
)

// Clean is a text with U+FFFD in the place of each character that is not printed, but for ends of lines and
// tabs.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' || r == '\t' {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// Line is the beginning of a text, of at most so many characters, cleaned and as one line.
func Line(text string, most int) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, Clean(beginning(text, most)))
}

// Lines is the beginning of a text, of at most so many characters, cleaned.
func Lines(text string, most int) string { return Clean(beginning(text, most)) }

// beginning is a text of at most so many characters, which says so when it was longer.
func beginning(text string, most int) string {
	n := 0
	for i := range text {
		if n++; n > most {
			return text[:i] + "…"
		}
	}
	return text
}

// CheckLine fails unless a text is one line, all of which is printed.
func CheckLine(text string) error {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return errors.New("it must be one line, without control characters")
	}
	return nil
}
