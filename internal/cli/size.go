package main

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
)

// size is a flag that reads "64MiB", "2GB" or a plain number of bytes.
type size uint64

func (s *size) String() string {
	if *s == 0 {
		return ""
	}
	return humanize.IBytes(uint64(*s))
}

func (s *size) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil {
		return fmt.Errorf("%q is not a size; write for example 64MiB, 2GB or 1048576", text)
	}
	*s = size(n)
	return nil
}

func (s *size) Type() string { return "size" }

// bandwidth is a flag that reads "12GB/s".
type bandwidth struct{ size }

func (b *bandwidth) Set(text string) error {
	if err := b.size.Set(strings.TrimSuffix(text, "/s")); err != nil || b.size == 0 {
		return fmt.Errorf("%q is not a bandwidth; write for example 12GB/s", text)
	}
	return nil
}

func (b *bandwidth) Type() string { return "bytes/s" }

func bytesText(n uint64) string { return humanize.IBytes(n) }

func countText(n uint64) string { return humanize.Comma(int64(n)) }

func formatList(names []string) string { return strings.Join(names, ", ") }
