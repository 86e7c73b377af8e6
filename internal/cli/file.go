package cli

import (
	"errors"
	"io"
	"os"
)

// WriteFile makes a file of what write writes.
func WriteFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
