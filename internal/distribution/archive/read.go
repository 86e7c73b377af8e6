package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Limits bound what an archive may have.
type Limits struct {
	Files int
	Bytes int64 // of all files together, and what tar has around them
}

// DefaultLimits are more than any plugin needs.
var DefaultLimits = Limits{Files: 20_000, Bytes: 4 << 30}

// Entry is a file of an archive.
type Entry struct {
	Name       string
	Size       int64
	Executable bool
}

// ErrStop is what visit returns when it has seen enough: Read ends without an error, and without a look at the rest.
var ErrStop = errors.New("no more is needed")

// Read calls visit for each file of an archive in order, with its content.
//
// Errors: *EntryError, *LimitError, *FormatError, those of visit and ctx.
func Read(ctx context.Context, r io.Reader, limits Limits, visit func(Entry, io.Reader) error) error {
	source := &source{ctx: ctx, r: r}
	compressed, err := zstd.NewReader(source, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(Window))
	if err != nil {
		return &FormatError{err}
	}
	defer compressed.Close()
	unpacked := &bounded{r: compressed, left: limits.Bytes, limit: limits.Bytes}
	err = readTar(unpacked, limits.Files, visit)
	if err == nil {
		err = nothingFollows(unpacked)
	}
	switch {
	case errors.Is(err, ErrStop):
		return nil
	case source.err != nil:
		return source.err // the file could not be read, whatever it says
	case unpacked.exceeded:
		return &LimitError{"bytes, unpacked", limits.Bytes}
	}
	return err
}

func readTar(r io.Reader, most int, visit func(Entry, io.Reader) error) error {
	in, known := tar.NewReader(r), names{}
	for count := 0; ; count++ {
		header, err := in.Next()
		switch {
		case errors.Is(err, io.EOF) && count > 0:
			return nil
		case err != nil:
			return &FormatError{err}
		}
		if count == most {
			return &LimitError{"files", int64(most)}
		}
		if err := plain(header); err != nil {
			return err
		}
		if err := known.add(header.Name); err != nil {
			return err
		}
		content := &content{r: in}
		err = visit(Entry{header.Name, header.Size, header.Mode&0o100 != 0}, content)
		if content.err != nil && !errors.Is(err, ErrStop) {
			err = &FormatError{content.err} // whatever visit makes of it
		}
		if err != nil {
			return err
		}
	}
}

// kinds are entries that are no files, in words.
var kinds = map[byte]string{
	tar.TypeLink: "a hard link", tar.TypeSymlink: "a symbolic link", tar.TypeChar: "a device", tar.TypeBlock: "a device",
	tar.TypeDir: "a folder by itself", tar.TypeFifo: "a pipe", tar.TypeGNUSparse: "a file with holes",
}

// plain fails with an *EntryError unless an entry is a file with nothing special to it.
func plain(header *tar.Header) error {
	kind := kinds[header.Typeflag]
	switch {
	case kind != "":
		return &EntryError{header.Name, "it is " + kind + ": only files may be there"}
	case header.Typeflag != tar.TypeReg:
		return &EntryError{header.Name, "it is of an unknown kind: only files may be there"}
	case header.Mode&^0o777 != 0:
		return &EntryError{header.Name, "it has mode bits beyond those for reading, writing and executing"}
	}
	for key := range header.PAXRecords {
		if key != "path" && key != "size" {
			return &EntryError{header.Name, "it has the attribute " + key}
		}
	}
	return nil
}

// nothingFollows reads to the end, where the last checksum is.
func nothingFollows(r io.Reader) error {
	buffer := make([]byte, 32<<10)
	for {
		n, err := r.Read(buffer)
		if len(bytes.Trim(buffer[:n], "\x00")) > 0 {
			return &FormatError{errors.New("something follows after the end of the tar")}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return &FormatError{err}
		}
	}
}

// source is the file itself, and keeps why it could not be read.
type source struct {
	ctx context.Context
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := 0, s.ctx.Err()
	if err == nil {
		n, err = s.r.Read(p)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// bounded ends with an error where more than a limit comes.
type bounded struct {
	r           io.Reader
	left, limit int64
	exceeded    bool
}

var errExceeded = errors.New("too much")

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		var one [1]byte
		if n, err := b.r.Read(one[:]); n == 0 {
			return 0, err
		}
		b.exceeded = true
		return 0, errExceeded
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// content is that of an entry, and keeps why it could not be read.
type content struct {
	r   io.Reader
	err error
}

func (c *content) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}
