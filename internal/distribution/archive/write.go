package archive

import (
	"archive/tar"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Window is how far back compressed data refers, which bounds the memory of whoever reads it, in bytes.
const Window = 8 << 20

// File is one that is to be put into an archive.
type File struct {
	Name       string
	Size       int64
	Executable bool
	Open       func() (io.ReadCloser, error)
}

// Write writes an archive of these files: the first one first, the others by name.
//
// Errors: *EntryError, those of opening, reading and writing.
func Write(w io.Writer, first File, others []File) error {
	compressed, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(Window),
		zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	if err != nil {
		return err
	}
	return errors.Join(writeTar(compressed, first, others), compressed.Close())
}

func writeTar(w io.Writer, first File, others []File) error {
	sorted := slices.SortedFunc(slices.Values(others), func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	out, known := tar.NewWriter(w), names{}
	for _, f := range slices.Insert(sorted, 0, first) {
		if err := known.add(f.Name); err != nil {
			return err
		}
		if err := writeFile(out, f); err != nil {
			return err
		}
	}
	return out.Close()
}

func writeFile(out *tar.Writer, f File) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	header := &tar.Header{Typeflag: tar.TypeReg, Name: f.Name, Size: f.Size, Mode: 0o644, ModTime: time.Unix(0, 0)}
	if f.Executable {
		header.Mode = 0o755
	}
	if err := out.WriteHeader(header); err != nil {
		return err
	}
	switch n, err := io.Copy(out, in); {
	case errors.Is(err, tar.ErrWriteTooLong) || err == nil && n != f.Size:
		return fmt.Errorf("%s had %d bytes a moment ago: it is being changed", f.Name, f.Size)
	case err != nil:
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}
