// Package input opens graph files and hands out their bytes and lines.
//
//	path or "-" ──▶ Progress (compressed bytes) ──▶ gzip | bgzip | zstd | plain ──▶ File ──▶ Lines
//
// Compression is told from the first bytes, whatever the name says. What is unpacked is
// never held as a whole: a File holds a read buffer of 256 KiB, of an archive another, a
// Lines one line of at most formats.Options.RowLimit, bgzip 4 MiB a processor, and zstd a
// window of at most an eighth of the memory of the load (8 to 128 MiB). Every failure of a
// file's content is a *formats.ParseError.
package input

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/penstock-db/penstock/formats"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

const bufferSize = 256 << 10

// The window of a zstd archive may be a windowShare-th of the memory of the load, within
// these bounds. RFC 8878 wants decoders to know windows of 8 MiB.
const windowShare, leastWindow, mostWindow = 8, 8 << 20, 128 << 20

// File is one opened input; it reads as its decompressed content.
type File struct {
	Path  string // as given, without a label: what errors name
	Label string // the label that "Label=path" gives to what is in the file, else ""

	opts    formats.Options
	raw     *os.File
	counted *countingReader
	archive string // "gzip", "zstd" or ""
	zstd    *zstd.Decoder
	buf     *bufio.Reader
}

// Open opens one file, or standard input for "-". progress may be nil; of opts it is Memory
// that matters.
func Open(path string, progress *Progress, opts formats.Options) (*File, error) {
	label, path := SplitLabel(path)
	f := &File{Path: path, Label: label, opts: opts, raw: os.Stdin}
	if path == Stdin {
		f.Path = "standard input"
	} else if err := f.openPath(path); err != nil {
		return nil, err
	}
	f.counted = &countingReader{r: f.raw, progress: progress}
	if err := f.start(); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// OpenAll opens all paths; their sizes together are opts.Progress's total.
func OpenAll(paths []string, opts formats.Options) ([]*File, error) {
	progress := NewProgress(paths, opts.Progress)
	files := make([]*File, 0, len(paths))
	for _, path := range paths {
		f, err := Open(path, progress, opts)
		if err != nil {
			return nil, errors.Join(err, CloseAll(files))
		}
		files = append(files, f)
	}
	return files, nil
}

// CloseAll closes all files and returns what went wrong, joined.
func CloseAll(files []*File) error {
	var errs []error
	for _, f := range files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

func (f *File) openPath(path string) error {
	raw, err := os.Open(path)
	if err != nil {
		return err
	}
	if info, err := raw.Stat(); err != nil || info.IsDir() {
		raw.Close()
		return &formats.ParseError{Position: f.At(0), Found: "a folder", Expected: "a file", Err: err}
	}
	f.raw = raw
	return nil
}

// start sets up decompression at the file's first byte, skips a byte order mark, and has lines end by line feeds.
func (f *File) start() error {
	raw := bufio.NewReaderSize(f.counted, bufferSize)
	content, err := f.decompress(raw)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return f.damage(err)
	}
	f.buf = raw
	if content != nil {
		f.buf = bufio.NewReaderSize(content, bufferSize)
	}
	if mark, _ := f.buf.Peek(3); string(mark) == "\xef\xbb\xbf" {
		_, err = f.buf.Discard(len(mark))
	}
	if endsByCR(f.Peek(mostPeek)) {
		f.buf = bufio.NewReaderSize(lineFeeds{f.buf}, bufferSize)
	}
	return err
}

// decompress returns nil for plain content.
func (f *File) decompress(raw *bufio.Reader) (io.Reader, error) {
	magic, _ := raw.Peek(4)
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		f.archive = "gzip"
		if members := newBGZF(raw); members != nil {
			return members, nil
		}
		return gzip.NewReader(raw)
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		f.archive = "zstd"
		var err error
		f.zstd, err = zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(f.maxWindow()))
		return f.zstd, err
	}
	return nil, nil
}

// maxWindow is the largest window of a zstd archive.
func (f *File) maxWindow() uint64 {
	if f.opts.Memory <= 0 {
		return mostWindow
	}
	return uint64(min(max(f.opts.Memory/windowShare, leastWindow), mostWindow))
}

// mostPeek is how far one may look ahead.
const mostPeek = 64 << 10

// Peek shows up to n of the next bytes (n at most mostPeek) without taking them. It
// returns fewer at the end of the file or before a damaged place, which the next
// Read reports.
func (f *File) Peek(n int) []byte {
	head, _ := f.buf.Peek(min(n, mostPeek))
	return head
}

// Read reads decompressed content. A damaged or truncated archive is a *formats.ParseError.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.buf.Read(p)
	return n, f.damage(err)
}

// Rewind goes back to the first byte. What cannot be read twice, such as a pipe, is an error.
func (f *File) Rewind() error {
	if _, err := f.raw.Seek(0, io.SeekStart); err != nil {
		return &formats.ParseError{
			Position: f.At(0), Found: "an input that can be read only once",
			Expected: "a file, because this format is read twice", Err: err,
		}
	}
	f.closeArchive()
	return f.start()
}

// At is the position of a line in the file; 0 is the whole file.
func (f *File) At(line int64) formats.Position {
	return formats.Position{File: f.Path, Line: line}
}

// Close closes the file, except standard input.
func (f *File) Close() error {
	f.closeArchive()
	if f.raw == os.Stdin {
		return nil
	}
	return f.raw.Close()
}

func (f *File) closeArchive() {
	if f.zstd != nil {
		f.zstd.Close()
		f.zstd = nil
	}
}

// damage turns a failure below the content into a ParseError; nil and io.EOF pass, but
// not an io.EOF that a decompressor has wrapped.
func (f *File) damage(err error) error {
	var known *formats.ParseError
	if err == nil || err == io.EOF || errors.As(err, &known) { //nolint:errorlint // see above
		return err
	}
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		return formats.TooLarge(f.At(0), "a zstd window", int64(f.maxWindow()), "bytes",
			"an archive packed without --long, or more memory (--memory)")
	}
	failure := &formats.ParseError{Position: f.At(0), Found: "unreadable file", Err: err}
	if f.archive != "" {
		failure.Found, failure.Expected = "damaged "+f.archive+" archive", "an intact one: fetch or copy it again"
		if errors.Is(err, io.ErrUnexpectedEOF) {
			failure.Found = "truncated " + f.archive + " archive"
		}
	}
	return failure
}
