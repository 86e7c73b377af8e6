package admin

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// secretive are the words of statements that may have a password in them, also misspelled.
var secretive = regexp.MustCompile(`(?i)\buser\b|pas+w`)

// Secretive tells whether a statement may have a password in it: the words user or password are there.
func Secretive(text string) bool { return secretive.MatchString(text) }

// Redact is the beginning of a statement, of at most so many bytes. Where it may have a password in
// it, its strings are blanked out; what cannot be read to its end, from there on.
func Redact(text string, most int) string {
	secret := Secretive(text)
	text = cut(text, most)
	if !secret {
		return text
	}
	var shown strings.Builder
	at := 0
	for _, t := range lex(text) {
		if t.kind == literal || t.kind == broken {
			shown.WriteString(text[at:t.from])
			shown.WriteString("'******'")
			at = t.to
		}
	}
	shown.WriteString(text[at:])
	return shown.String()
}

// cut is the beginning of a text, with a mark if there is more.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}
