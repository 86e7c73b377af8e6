//go:build !linux

package intervals

import "os"

// leaveCache does nothing: what the system caches of a file is its own affair.
func leaveCache(*os.File) error { return nil }

// forget does nothing, as leaveCache.
func forget(*os.File, uint64, uint64) {}
