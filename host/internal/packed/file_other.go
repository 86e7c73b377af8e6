//go:build !linux

package packed

import (
	"errors"
	"os"
)

func passCache(*os.File) error { return errors.ErrUnsupported }

func hasRoom(*os.File, uint64, uint64) error { return errors.ErrUnsupported }
