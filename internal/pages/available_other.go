//go:build !linux

package pages

import "errors"

// Available is known on Linux only.
func Available() (uint64, error) { return 0, errors.ErrUnsupported }
