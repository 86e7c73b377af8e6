package pack

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/distribution/manifest"
)

// Read reads the manifest in a folder that a package was unpacked into, which must have this SHA-256.
//
// Errors: *ContentError, *manifest.Error, those of reading.
func Read(folder, digest string) (*manifest.Manifest, error) {
	text, err := os.ReadFile(filepath.Join(folder, manifest.File))
	if err != nil {
		return nil, err
	}
	found, err := parse(text)
	if found.SHA256 != digest {
		return nil, &ContentError{filepath.Join(folder, manifest.File), fmt.Sprintf(
			"it has SHA-256 %s, but %s was installed: it has been changed since", found.SHA256, digest)}
	}
	return found.Manifest, err
}

// Names fails with a *ContentError unless a folder has the files that a package has, and no others.
func Names(folder string, m *manifest.Manifest) error {
	missing := map[string]bool{manifest.File: true}
	for name := range m.Package.Contents {
		missing[name] = true
	}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir():
			return err
		case !missing[name]:
			return &ContentError{filepath.Join(folder, name), "it is no file of the package: somebody has put it there"}
		case !entry.Type().IsRegular():
			return &ContentError{filepath.Join(folder, name), "it is no file any more"}
		}
		delete(missing, name)
		return nil
	})
	if err != nil {
		return err
	}
	for name := range missing {
		return &ContentError{filepath.Join(folder, name), "it is gone"}
	}
	return nil
}
