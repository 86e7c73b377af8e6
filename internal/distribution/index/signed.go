package index

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/penstock-db/penstock/internal/distribution/sign"
)

// checkSignature fails where the signature beside a package is by this key, and not of this package: it has been packed
// anew since. Users would refuse it, whatever flags they give.
func checkSignature(path string, packed io.Reader, key sign.Key) error {
	text, err := os.ReadFile(path + sign.Suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	signature, err := sign.ParseSignature(text)
	if err != nil {
		return fmt.Errorf("%s: %w", path+sign.Suffix, err)
	}
	if signature.KeyID() != key.ID() {
		return nil // whose it is users know
	}
	if err := signature.Verify(key, packed); err != nil {
		return fmt.Errorf("%s: %w; `penstock plugin sign` signs what it is now", path, err)
	}
	return nil
}

// Unsigned are the names of plugins in an index, and of those of their packages in its folder that nobody has signed.
func (ix *Index) Unsigned(folder string) map[string][]string {
	all := map[string][]string{}
	for name, plugin := range ix.Plugins {
		for _, version := range plugin.Versions {
			for _, p := range version.Platforms {
				if _, err := os.Lstat(filepath.Join(folder, p.File+sign.Suffix)); errors.Is(err, fs.ErrNotExist) {
					all[name] = append(all[name], p.File)
				}
			}
		}
		slices.Sort(all[name])
	}
	return all
}
