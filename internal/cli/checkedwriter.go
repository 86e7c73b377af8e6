package cli

import (
	"fmt"
	"io"
)

// checkedWriter remembers that a write has failed, so that output which went nowhere
// counts as a failure of the command.
type checkedWriter struct {
	io.Writer
	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("cannot write the output: %w", err)
	}
	return n, err
}
