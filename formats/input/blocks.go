package input

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/penstock-db/penstock/formats"
)

// blockSize is how much text is parsed at a time. An edge takes four bytes at least,
// "1 2\n", so the edges of a block never fill more than one batch.
const blockSize = 4 * formats.BatchRows

// blocks cuts a file where lines end.
type blocks struct {
	file  *File
	limit int    // bytes a line may have
	tail  []byte // what was read beyond the last block
	err   error  // what ended the file, io.EOF above all
}

// next puts whole lines into text: as many as a block holds, or one that is longer.
// There are none at the end, and none of a line that an error broke off.
func (b *blocks) next(text []byte) []byte {
	text = b.fill(append(text[:0], b.tail...), blockSize)
	cut := bytes.LastIndexByte(text, '\n') + 1
	for cut == 0 && b.err == nil {
		text, cut = b.extend(text)
	}
	if cut == 0 && errors.Is(b.err, io.EOF) {
		cut = len(text)
	}
	b.tail = append(b.tail[:0], text[cut:]...)
	return text[:cut]
}

// extend reads on to the end of a long line.
func (b *blocks) extend(text []byte) ([]byte, int) {
	from := len(text)
	text = b.fill(text, from+blockSize)
	cut := bytes.IndexByte(text[from:], '\n') + 1
	if cut > 0 {
		cut += from
	}
	if max(cut, from) > b.limit {
		b.err = tooLong(b.file.At(0), b.limit)
		return nil, 0
	}
	return text, cut
}

// fill reads until text has size bytes or the file ends.
func (b *blocks) fill(text []byte, size int) []byte {
	text = slices.Grow(text, max(0, size-len(text)))
	for len(text) < size && b.err == nil {
		var n int
		n, b.err = b.file.buf.Read(text[len(text):size])
		text = text[:len(text)+n]
	}
	return text
}

// failure is what ended the file before its end, in the line after these; else nil.
func (b *blocks) failure(lines int64) error {
	err := b.file.damage(b.err)
	if err == io.EOF { //nolint:errorlint // damage may wrap an io.EOF
		return nil
	}
	return inLine(err, lines+1)
}
