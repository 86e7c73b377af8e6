package registry

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/distribution/sign"
)

// madeFile is the name of the file in a plugin directory that says which indexes were made.
const madeFile = "made.json"

// makings are what is kept of them: the serial of the last, by folder.
type makings struct {
	Version int              `json:"version"` // 1
	Serials map[string]int64 `json:"serials"`
}

// MakeIndex makes the index of a folder, see index.Make, and remembers its serial: one that is put back in its place is
// not followed by the next, but where older is set.
func (r *Registry) MakeIndex(ctx context.Context, folder string, secret sign.Secret, e index.Edition, older bool) (
	ix *index.Index, err error) {
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	path := filepath.Join(r.dir, madeFile)
	return ix, exclusively(r.dir, func() error {
		m, err := readMade(path)
		if err != nil {
			return err
		}
		if !older {
			e.Least = m.Serials[folder]
		}
		if ix, err = index.Make(ctx, folder, secret, e); err != nil {
			return err
		}
		m.Serials[folder] = ix.Serial
		return writeVersioned(path, m)
	})
}

func readMade(path string) (makings, error) {
	m := makings{Version: 1, Serials: map[string]int64{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	if err := readVersioned(text, path, &m, &m.Version); err != nil {
		return m, err
	}
	if m.Serials == nil {
		return m, &ManifestError{File: path, Field: "serials", Err: errors.New("is missing")}
	}
	return m, nil
}
