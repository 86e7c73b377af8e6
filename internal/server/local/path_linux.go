package local

import (
	"fmt"
	"os"
	"path/filepath"
)

// longestPath is what the address of a socket has room for.
const longestPath = 100

// shortPath is the path of the socket in dir, by way of an open folder if it is too long for an
// address. It is good until release.
func shortPath(dir string) (path string, release func(), err error) {
	if path := filepath.Join(dir, socket); len(path) <= longestPath {
		return path, func() {}, nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", f.Fd(), socket), func() { f.Close() }, nil
}
