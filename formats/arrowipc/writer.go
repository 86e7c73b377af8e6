package arrowipc

import (
	"bufio"
	"errors"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Writer writes Arrow records of one schema as an IPC file.
type Writer struct {
	*ipc.FileWriter
	buffer *bufio.Writer
}

// NewWriter starts a file.
func NewWriter(w io.Writer, schema *arrow.Schema, mem memory.Allocator) (*Writer, error) {
	buffer := bufio.NewWriterSize(w, 256<<10)
	out, err := ipc.NewFileWriter(&position{w: buffer}, ipc.WithSchema(schema), ipc.WithAllocator(mem))
	return &Writer{out, buffer}, err
}

// Close ends the file; it does not close the io.Writer.
func (w *Writer) Close() error {
	return errors.Join(w.FileWriter.Close(), w.buffer.Flush())
}

// position tells the IPC writer where it is, which is all that it seeks for.
type position struct {
	w  io.Writer
	at int64
}

func (p *position) Write(b []byte) (int, error) {
	n, err := p.w.Write(b)
	p.at += int64(n)
	return n, err
}

func (p *position) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return p.at, errors.ErrUnsupported
	}
	return p.at, nil
}
