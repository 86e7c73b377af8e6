// Package unnamed makes files for what does not fit the memory, which leave nothing behind.
package unnamed

import (
	"errors"
	"os"
)

// File makes a file without a name in the folder for temporary files, which is gone when it is closed or its process
// ends. Until it has lost its name, that is as pattern says, see os.CreateTemp. Others than its user cannot read it.
func File(pattern string) (*os.File, error) {
	file, err := os.CreateTemp("", pattern) // mode 0600
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
