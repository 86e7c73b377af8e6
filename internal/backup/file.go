package backup

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// File is a backup that is open for reading. Its header and contents have been checked; the
// rest is checked as it is read.
type File struct {
	Path   string
	Size   int64
	Header Header
	End    End

	from     io.ReaderAt
	close    func() error
	trailer  trailer
	contents *contents
}

// Open opens a backup. The caller must Close it.
//
// Errors: *NotBackupError, *DamagedError.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if !info.Mode().IsRegular() {
		return nil, errors.Join(&NotBackupError{path, "it is no regular file"}, f.Close())
	}
	b, err := open(path, f, info.Size())
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	b.close = f.Close
	return b, nil
}

func open(path string, from io.ReaderAt, size int64) (*File, error) {
	f := &File{Path: path, Size: size, from: from}
	begin := make([]byte, len(magic))
	if n, err := from.ReadAt(begin, 0); string(begin[:n]) != magic {
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return nil, &NotBackupError{path, fmt.Sprintf("it does not begin with %q", magic)}
	}
	var err error
	if f.trailer, err = readTrailer(from, size); err == nil && f.trailer.contents > size-trailerSize {
		err = errors.New("the offset of the contents is beyond the end")
	}
	if err != nil {
		return nil, f.damaged(record{offset: -1}, "trailer", err)
	}
	if err := f.readHeader(); err != nil {
		return nil, err
	}
	c, rec, err := readContents(f.records(f.trailer.contents, size-trailerSize))
	if err != nil {
		return nil, f.damaged(rec, "contents", err)
	}
	f.contents, f.End = c, c.end
	return f, nil
}

func (f *File) readHeader() error {
	rec, err := f.records(int64(len(magic)), f.trailer.contents).next()
	if err == nil && rec.kind != headerRecord {
		err = fmt.Errorf("it is of kind %q", byte(rec.kind))
	}
	if err == nil {
		err = json.Unmarshal(rec.payload, &f.Header)
	}
	if err != nil {
		return f.damaged(rec, "header", err)
	}
	return nil
}

// records reads the records between two offsets.
func (f *File) records(from, to int64) *recordReader {
	in := bufio.NewReaderSize(io.NewSectionReader(f.from, from, to-from), 1<<18)
	return &recordReader{from: in, offset: from, end: to}
}

func (f *File) damaged(rec record, what string, err error) error {
	return &DamagedError{Path: f.Path, Offset: rec.offset, What: what, Err: err}
}

// Close lets go of the file.
func (f *File) Close() error {
	if f.close == nil {
		return nil
	}
	return f.close()
}

// SHA256 of all but the trailer, in hex: what the backup that follows knows this one by.
func (f *File) SHA256() string { return f.trailer.sha256 }

// Graphs are the graphs that the backup shows, by name.
func (f *File) Graphs() []Graph { return f.contents.graphs }

// Tail is the end of the file, for ReadBase. It has some 30 bytes for each value that the
// graphs name.
func (f *File) Tail() ([]byte, error) {
	tail := make([]byte, f.Size-f.trailer.contents)
	_, err := f.from.ReadAt(tail, f.trailer.contents)
	return tail, err
}

// content is what read yields: values of the database, and files beside it.
type content struct {
	value func(key, value []byte) error
	file  func(name string, content []byte) error
}

// read reads all of the file and checks every checksum, at last that of the whole. What it
// yields is good until the next.
func (f *File) read(ctx context.Context, to content) error {
	whole := sha256.New()
	begin := io.TeeReader(io.NewSectionReader(f.from, 0, int64(len(magic))), whole)
	if _, err := io.Copy(io.Discard, begin); err != nil {
		return err
	}
	records := f.records(int64(len(magic)), f.Size-trailerSize)
	records.from = io.TeeReader(records.from, whole)
	p := unpacker{}
	defer p.close()
	for {
		rec, err := records.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = f.pairs(rec, &p, to)
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return f.notRead(rec, err)
		}
	}
	if hex.EncodeToString(whole.Sum(nil)) != f.trailer.sha256 {
		return f.damaged(record{offset: -1}, "the whole", errChecksum)
	}
	return nil
}

// yieldedError is one of who was given what was read.
type yieldedError struct{ error }

func (e yieldedError) Unwrap() error { return e.error }

// notRead tells damage from what has ended the reading.
func (f *File) notRead(rec record, err error) error {
	var yielded yieldedError
	if errors.As(err, &yielded) {
		return yielded.error
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return f.damaged(rec, "record", err)
}

func (f *File) pairs(rec record, p *unpacker, to content) (err error) {
	payload := rec.payload
	switch rec.kind {
	case packedRecord:
		if payload, err = p.unpack(payload); err != nil {
			return err
		}
		fallthrough
	case valueRecord:
		return eachPair(payload, func(key, value []byte) error { return yielded(to.value(key, value)) })
	case fileRecord:
		return eachPair(payload, func(name, content []byte) error { return yielded(to.file(string(name), content)) })
	case headerRecord, graphRecord, printRecord, endRecord:
		return nil // Open has read them
	}
	return fmt.Errorf("it is of the unknown kind %q", byte(rec.kind))
}

func yielded(err error) error {
	if err == nil {
		return nil
	}
	return yieldedError{err}
}

// unpacker unpacks what zstd has packed, into memory of the one before. That grows as it is
// filled, whatever the packed says of its size.
type unpacker struct {
	decoder *zstd.Decoder
	buffer  bytes.Buffer
}

func (p *unpacker) unpack(packed []byte) (payload []byte, err error) {
	if p.decoder == nil {
		p.decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(64<<20))
		if err != nil {
			return nil, err
		}
	}
	if err := p.decoder.Reset(bytes.NewReader(packed)); err != nil {
		return nil, err
	}
	p.buffer.Reset()
	n, err := io.Copy(&p.buffer, io.LimitReader(p.decoder, mostPayload+1))
	if err == nil && n > mostPayload {
		err = errors.New("it holds more than a value may have")
	}
	return p.buffer.Bytes(), err
}

func (p *unpacker) close() {
	if p.decoder != nil {
		p.decoder.Close()
	}
}
