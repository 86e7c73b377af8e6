package bench

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// markdown is what r writes.
func markdown(t *testing.T, r interface{ WriteMarkdown(io.Writer) error }) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// drawn fails the test unless what draw writes is XML.
func drawn(t *testing.T, draw func(io.Writer) error) {
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
