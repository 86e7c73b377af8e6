//go:build !linux

package numa

import "errors"

// place does nothing: only Linux tells of nodes.
func place([]byte, int) error { return errors.ErrUnsupported }
