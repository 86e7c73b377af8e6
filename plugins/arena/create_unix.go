//go:build unix && !linux

package arena

import (
	"errors"
	"fmt"
	"os"
)

// Create maps a fresh, zeroed region of at least size bytes, rounded up to whole
// pages. It is a file in the temporary directory, readable by this user only; Close
// removes it, and it stays behind when this process is killed.
func Create(size uint64) (*Arena, error) {
	size, err := wholePages(size)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp("", "penstock-arena-*") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("arena of %d bytes: %w", size, err)
	}
	remove := func() error { return errors.Join(file.Close(), os.Remove(file.Name())) }
	if err := file.Truncate(int64(size)); err != nil {
		return nil, errors.Join(fmt.Errorf("arena of %d bytes: %w", size, err), remove())
	}
	return mapFile(file, size, remove)
}
