package input

import (
	"io"
	"os"
)

// Progress adds up the bytes read from several files before decompression. It
// belongs to the one goroutine that reads them.
type Progress struct {
	read, total int64
	report      func(read, total int64)
}

// NewProgress takes the total from the sizes of paths. The total is 0, unknown, when
// one of them has none, as standard input. report may be nil.
func NewProgress(paths []string, report func(read, total int64)) *Progress {
	p := &Progress{report: report}
	for _, path := range paths {
		_, path = SplitLabel(path)
		info, err := os.Stat(path)
		if path == Stdin || err != nil || !info.Mode().IsRegular() {
			p.total = 0
			break
		}
		p.total += info.Size()
	}
	return p
}

func (p *Progress) add(n int) {
	if p == nil || p.report == nil || n == 0 {
		return
	}
	p.read += int64(n)
	p.report(p.read, p.total)
}

// countingReader tells progress of each read.
type countingReader struct {
	r        io.Reader
	progress *Progress
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.progress.add(n)
	return n, err
}
