//go:build !linux

package local

import "path/filepath"

// shortPath is the path of the socket in dir. Long ones are refused by the system.
func shortPath(dir string) (path string, release func(), err error) {
	return filepath.Join(dir, socket), func() {}, nil
}
