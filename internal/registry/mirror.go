package registry

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/durable"
	"github.com/penstock-db/penstock/internal/launch"
)

// Mirror copies an index into a folder, with the packages of the plugins that are wanted, none being all, for all
// platforms: a folder to install from where there is no network. Packages that are there already stay. The index comes
// last, as it is, with its signature. It returns the files of packages that it has copied.
func (ix *Index) Mirror(ctx context.Context, folder string, wanted ...index.Want) ([]string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	for _, want := range wanted {
		if _, ok := ix.Plugins[want.Name]; !ok {
			return nil, &index.NoneError{Want: want}
		}
	}
	var copied []string
	for _, name := range slices.Sorted(maps.Keys(ix.Plugins)) {
		for version, v := range ix.Plugins[name].Versions {
			if !wants(wanted, name, version) {
				continue
			}
			for _, p := range v.Platforms {
				isNew, err := ix.copyTo(ctx, folder, p)
				if err != nil {
					return copied, err
				}
				if isNew {
					copied = append(copied, p.File)
				}
			}
		}
	}
	slices.Sort(copied)
	err := durable.Replace(filepath.Join(folder, index.File+sign.Suffix), ix.signed, 0o644)
	if err == nil {
		err = durable.Replace(filepath.Join(folder, index.File), ix.text, 0o644)
	}
	return copied, err
}

func wants(wanted []index.Want, name, version string) bool {
	return len(wanted) == 0 || slices.ContainsFunc(wanted, func(w index.Want) bool {
		return w.Name == name && pinned(name, w.Versions, version) == nil
	})
}

// copyTo copies a package and its signature, unless they are there.
func (ix *Index) copyTo(ctx context.Context, folder string, p index.Package) (isNew bool, err error) {
	path := filepath.Join(folder, filepath.FromSlash(p.File))
	if found, err := launch.Digest(path); err == nil && found == p.SHA256 {
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	temp, err := os.MkdirTemp(folder, unfinished+"*")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(temp)
	fetched := filepath.Join(temp, filepath.Base(path))
	if err := ix.download(ctx, p, fetched); err != nil {
		return false, err
	}
	for _, suffix := range []string{sign.Suffix, ""} {
		err := os.Rename(fetched+suffix, path+suffix)
		if errors.Is(err, fs.ErrNotExist) && suffix != "" {
			err = nil // it is not signed
		}
		if err == nil && suffix == "" {
			err = os.Chmod(path, 0o644)
		}
		if err != nil {
			return false, err
		}
	}
	return true, durable.SyncDir(filepath.Dir(path))
}
