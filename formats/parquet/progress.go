package parquet

import "io"

// progress adds up the bytes read from all files.
type progress struct {
	read, total int64
	report      func(read, total int64)
}

// countingReader tells progress of each read.
type countingReader struct {
	io.ReaderAt
	progress *progress
}

func (c *countingReader) ReadAt(p []byte, offset int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, offset)
	if c.progress.read += int64(n); c.progress.report != nil {
		c.progress.report(min(c.progress.read, c.progress.total), c.progress.total)
	}
	return n, err
}
