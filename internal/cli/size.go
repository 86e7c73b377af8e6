package cli

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
)

// Size is a flag that reads "64MiB", "2GB" or a plain number of bytes.
type Size uint64

func (s *Size) String() string {
	if *s == 0 {
		return ""
	}
	return humanize.IBytes(uint64(*s))
}

func (s *Size) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil {
		return fmt.Errorf("%q is not a size; write for example 64MiB, 2GB or 1048576", text)
	}
	*s = Size(n)
	return nil
}

func (s *Size) Type() string { return "size" }

// Bandwidth is a flag that reads "12GB/s".
type Bandwidth struct{ Size }

func (b *Bandwidth) Set(text string) error {
	if err := b.Size.Set(strings.TrimSuffix(text, "/s")); err != nil || b.Size == 0 {
		return fmt.Errorf("%q is not a bandwidth; write for example 12GB/s", text)
	}
	return nil
}

func (b *Bandwidth) Type() string { return "bytes/s" }
