// Package measuretest checks in tests what a report writes.
package measuretest

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// Markdown is what r writes.
func Markdown(t *testing.T, r interface{ WriteMarkdown(io.Writer) error }) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Drawn fails the test unless what draw writes is XML.
func Drawn(t *testing.T, draw func(io.Writer) error) {
	t.Helper()
	var b strings.Builder
	if err := draw(&b); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
	}
}
