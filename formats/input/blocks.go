package input

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/penstock-db/penstock/formats"
)

// Blocks says where a file may be cut for parsing.
type Blocks struct {
	Row    int // bytes that a row takes at least, with the end of its line
	Quoted int // a line's end between two '"' ends no row of at most so many bytes
}

// size is how much text is parsed at a time: its rows never fill more than one batch.
func (b Blocks) size() int { return b.Row * formats.BatchRows }

// flips is true when text has an odd number of quotes: what follows it is quoted if what
// precedes it is not, and not if it is.
func (b Blocks) flips(text []byte) bool {
	return b.Quoted > 0 && bytes.Count(text, []byte{'"'})%2 != 0
}

// last is where the last row ends that ends in text, which begins with one; 0: none does.
func (b Blocks) last(text []byte, quoted bool) int {
	for end := len(text); ; {
		cut := bytes.LastIndexByte(text[:end], '\n') + 1
		if b.flips(text[cut:end]) {
			quoted = !quoted
		}
		if cut == 0 || !quoted {
			return cut
		}
		end = cut - 1
	}
}

// first is where the row ends that text begins with, whose bytes before from are seen.
// quoted is for those, and in the result for all of them when the row does not end.
func (b Blocks) first(text []byte, from int, quoted bool) (int, bool) {
	for {
		length := bytes.IndexByte(text[from:], '\n') + 1
		if length == 0 {
			return 0, quoted != b.flips(text[from:])
		}
		if b.flips(text[from : from+length]) {
			quoted = !quoted
		}
		from += length
		if !quoted || from > b.Quoted {
			return from, quoted
		}
	}
}

// blocks cuts a file where rows end.
type blocks struct {
	Blocks
	file  *File
	limit int    // bytes a row may have
	tail  []byte // what was read beyond the last block
	err   error  // what ended the file, io.EOF above all
}

// next puts whole rows into text: as many as a block holds, or one that is longer.
// There are none at the end, and none of a line that an error broke off.
func (b *blocks) next(text []byte) []byte {
	text = b.fill(append(text[:0], b.tail...), b.size())
	quoted := b.flips(text)
	cut := b.last(text, quoted)
	for cut == 0 && b.err == nil {
		from := len(text)
		text = b.fill(text, from+b.size())
		cut, quoted = b.first(text, from, quoted)
		if max(cut, from) > b.limit {
			b.err = tooLong(b.file.At(0), b.limit)
			return nil
		}
	}
	if cut == 0 && errors.Is(b.err, io.EOF) {
		cut = len(text)
	}
	b.tail = append(b.tail[:0], text[cut:]...) // shorter than a block
	return text[:cut]
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
