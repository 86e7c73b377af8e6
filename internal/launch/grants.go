package launch

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/handshake"
)

// grants are what the plugin may do beyond what every plugin may: also to write the profile that the user wants of it,
// which is made here, so that it needs no right to the folder.
func (s Spec) grants() (confine.Grants, error) {
	name := os.Getenv(handshake.CPUProfile)
	if name == "" {
		return s.Grants, nil
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return s.Grants, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return s.Grants, err
	}
	granted := s.Grants
	granted.Write = append(slices.Clone(granted.Write), path)
	return granted, file.Close()
}
