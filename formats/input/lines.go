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

// MaxLine is the longest line accepted, in bytes: room for an adjacency list of
// some ten million neighbours.
const MaxLine = 256 << 20

// quoteLimit keeps what an error quotes short enough to read.
const quoteLimit = 60

// Lines reads a File line by line and allocates nothing per line.
type Lines struct {
	file   *File
	line   []byte
	end    []byte // what ends the line
	long   []byte // gathers a line that is longer than the read buffer
	limit  int    // bytes a line may have
	number int64
	err    error
}

// Lines starts at the file's next byte and counts it as line 1.
func (f *File) Lines() *Lines { return &Lines{file: f, limit: MaxLine} }

// Next goes to the next line. It is false at the end and after an error, see Err.
func (l *Lines) Next() bool {
	if l.err != nil {
		return false
	}
	line, err := l.file.buf.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.gather(line)
	}
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

// gather puts together a line that does not fit the read buffer.
func (l *Lines) gather(part []byte) ([]byte, error) {
	l.long = append(l.long[:0], part...)
	for {
		part, err := l.file.buf.ReadSlice('\n')
		l.long = append(l.long, part...)
		if len(l.long) > l.limit {
			l.number++
			return nil, l.Bad(0, "a line of more than "+strconv.Itoa(l.limit)+" bytes", "shorter lines")
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
	l.err = l.file.damage(err)
	var failure *formats.ParseError
	if errors.As(l.err, &failure) && failure.Line == 0 {
		failure.Line = l.number + 1
	}
	return false
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
