package loadcsv

import (
	"fmt"
	"io"
)

// longestRecord bounds what a row takes: a quote that is never closed would read all of a file.
const longestRecord = 16 << 20

// bounded reads on only as long as the record that is being read is not too long.
type bounded struct {
	in         io.Reader
	read, done int64 // bytes that were read, and those of records that are through
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.read-b.done > longestRecord {
		return 0, fmt.Errorf("a row of more than %d MiB: is a quote missing?", longestRecord>>20)
	}
	n, err := b.in.Read(p)
	b.read += int64(n)
	return n, err
}

// consumed notes how far records have been read.
func (b *bounded) consumed(offset int64) { b.done = offset }
