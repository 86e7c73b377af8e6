package input

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/penstock-db/penstock/formats"
)

// quoteLimit keeps what an error quotes short enough to read.
const quoteLimit = 60

// Lines reads a File, or a block of one, line by line and allocates nothing per line.
type Lines struct {
	file    *File
	inBlock bool
	block   []byte // the lines to come, when they are read from a block
	line    []byte
	end     []byte // what ends the line
	long    []byte // gathers a line that is longer than the read buffer
	limit   int    // bytes a line may have
	number  int64
	back    bool // the line comes again
	err     error
}

// Lines starts at the file's next byte and counts it as line 1.
func (f *File) Lines() *Lines { return &Lines{file: f, limit: f.opts.RowLimit()} }

// Limit is the longest row in bytes that the file may have.
func (l *Lines) Limit() int { return l.limit }

// Next goes to the next line. It is false at the end and after an error, see Err.
func (l *Lines) Next() bool {
	if l.err != nil {
		return false
	}
	line, err := l.read()
	if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
		return l.stop(err)
	}
	l.number++
	if bytes.IndexByte(line, 0) >= 0 {
		return l.stop(l.Bad(0, "binary data", "text"))
	}
	l.line = trimEnd(line)
	l.end = line[len(l.line):]
	return true
}

// Back lets the line, whose bytes stay as they are, be the first one of Parse.
func (l *Lines) Back() { l.back = true }

// reset starts at the first line of a block.
func (l *Lines) reset(block []byte) { l.block, l.number, l.err = block, 0, nil }

// Rest is the lines of the block after this one. A parser may take whole lines off its
// beginning by itself, and says so with Skip.
func (l *Lines) Rest() []byte { return l.block }

// Skip passes over the first bytes of Rest, which are so many lines.
func (l *Lines) Skip(bytes int, lines int64) {
	l.block = l.block[bytes:]
	l.number += lines
}

// read is the next line with its end.
func (l *Lines) read() ([]byte, error) {
	if l.inBlock {
		return l.cut()
	}
	line, err := l.file.buf.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return l.gather(line)
	}
	return line, err
}

// cut takes the next line off the block.
func (l *Lines) cut() (line []byte, err error) {
	end := bytes.IndexByte(l.block, '\n') + 1
	if end == 0 {
		end, err = len(l.block), io.EOF
	}
	line, l.block = l.block[:end], l.block[end:]
	return line, err
}

// gather puts together a line that does not fit the read buffer.
func (l *Lines) gather(part []byte) ([]byte, error) {
	l.long = append(l.long[:0], part...)
	for {
		part, err := l.file.buf.ReadSlice('\n')
		l.long = append(l.long, part...)
		if len(l.long) > l.limit {
			return nil, tooLong(l.file.At(0), l.limit)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.long, err
		}
	}
}

func trimEnd(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

// stop ends the reading; a failure of the archive gets the line that was reached.
func (l *Lines) stop(err error) bool {
	l.err = inLine(l.file.damage(err), l.number+1)
	return false
}

// inLine is err with this line, if it is a ParseError that has none.
func inLine(err error, line int64) error {
	var failure *formats.ParseError
	if errors.As(err, &failure) && failure.Line == 0 {
		failure.Line = line
	}
	return err
}

func tooLong(at formats.Position, limit int) error {
	return formats.TooLarge(at, "a line", int64(limit), "bytes", "shorter lines, or more memory (--memory)")
}

// Bytes is the line without its end. It is valid until Next.
func (l *Lines) Bytes() []byte { return l.line }

// End is what ends the line: "\n", "\r\n" or, at the end of the file, nothing. It is
// valid until Next.
func (l *Lines) End() []byte { return l.end }

// Number is the line's number, from 1; before the first Next it is 0.
func (l *Lines) Number() int64 { return l.number }

// Position is where the line stands.
func (l *Lines) Position() formats.Position { return l.file.At(l.number) }

// Err is what stopped Next, nil at the end of the file.
func (l *Lines) Err() error {
	if l.err == io.EOF { //nolint:errorlint // damage may wrap an io.EOF
		return nil
	}
	return l.err
}

// Bad is the error for something wrong in this line. column is the byte in the line
// where it starts, from 1, or 0 for the whole line.
func (l *Lines) Bad(column int, found, expected string) error {
	at := l.Position()
	at.Column = column
	return &formats.ParseError{Position: at, Found: found, Expected: expected}
}

// BadLine is Bad for the whole line, quoted; a line that is no text is not quoted.
func (l *Lines) BadLine(expected string) error {
	return l.Bad(0, Quote(l.line), expected)
}

// TooWide is the error for a line of more than formats.MaxColumns fields.
func (l *Lines) TooWide() error {
	return formats.TooLarge(l.Position(), "a line", formats.MaxColumns, "fields", "at most so many columns")
}

// Quote shows token in an error: quoted, shortened, or as "binary data".
func Quote(token []byte) string {
	if !utf8.Valid(token) {
		return "binary data"
	}
	if len(token) <= quoteLimit {
		return strconv.Quote(string(token))
	}
	cut := quoteLimit
	for !utf8.RuneStart(token[cut]) {
		cut--
	}
	return strconv.Quote(string(token[:cut])) + "…"
}
