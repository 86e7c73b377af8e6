package compute

import (
	"io"
	"os"

	"github.com/penstock-db/penstock/internal/plaintext"
)

// openDeviceLog is where what devices write to standard error goes: a file, or, of the name "-", the terminal, which
// they tell nothing else. What they write without one is kept for the error of one that dies.
func openDeviceLog(name string, terminal io.Writer) (io.WriteCloser, error) {
	if name == "-" {
		return readable{terminal}, nil
	}
	return os.Create(name)
}

// readable passes on what people can read of what is written to it.
type readable struct{ to io.Writer }

func (r readable) Write(p []byte) (int, error) {
	_, err := io.WriteString(r.to, plaintext.Clean(string(p)))
	return len(p), err
}

func (readable) Close() error { return nil }
