//go:build !linux

package store

import "errors"

// readDirect is there on Linux only.
func readDirect(_, _ []byte) error { return errors.ErrUnsupported }
