//go:build unix

package arena

import (
	"os"

	"github.com/penstock-db/penstock/internal/handover"
)

// open is the file of this name as the host has handed it over, or else opened in this mode.
func open(path string, mode int) (*os.File, error) {
	given, err := handover.Inherited().Open(path)
	if given != nil || err != nil {
		return given, err
	}
	return os.OpenFile(path, mode, 0)
}

// stat is what is known of the file that open opens.
func stat(path string) (os.FileInfo, error) {
	given, err := handover.Inherited().Open(path)
	if err != nil {
		return nil, err
	}
	if given != nil {
		defer given.Close()
		return given.Stat()
	}
	return os.Stat(path)
}

// Forget lets go of an arena that the host has handed over once more, and that is mapped already: an open file would
// keep its memory.
func Forget(ref Ref) { _ = handover.Inherited().Drop(ref.Path) }
