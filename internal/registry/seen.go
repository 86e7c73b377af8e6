package registry

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/distribution/manifest"
)

// seenFile is the name of the file in a plugin directory that says which indexes have been read.
const seenFile = "indexes.json"

// memory is what has been seen of indexes, by location.
type memory struct {
	Version int             `json:"version"` // 1
	Indexes map[string]seen `json:"indexes"`
}

// seen is what is kept of an index: enough to know an older one, and what must not start, when the index is gone.
type seen struct {
	Serial  int64              `json:"serial"`
	SHA256  string             `json:"sha256"`
	Revoked []index.Revocation `json:"revoked,omitempty"`
}

func readMemory(dir string) (memory, error) {
	path := filepath.Join(dir, seenFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return memory{Version: 1, Indexes: map[string]seen{}}, nil
	}
	if err != nil {
		return memory{}, err
	}
	return parseMemory(text, path)
}

func parseMemory(text []byte, path string) (m memory, err error) {
	if err := readVersioned(text, path, &m, &m.Version); err != nil { // what is not known may be what is revoked
		return m, err
	}
	if m.Indexes == nil {
		m.Indexes = map[string]seen{}
	}
	for location, s := range m.Indexes {
		err := manifest.CheckDigest(s.SHA256)
		for _, r := range s.Revoked {
			err = errors.Join(err, r.Check())
		}
		if err != nil {
			return m, &ManifestError{File: path, Field: "indexes/" + location, Err: err}
		}
	}
	return m, nil
}

// remember keeps what was seen of an index, unless an older one was meant to pass for the newest.
func remember(dir, location string, found seen) error {
	return exclusively(dir, func() error {
		m, err := readMemory(dir)
		if err != nil {
			return err
		}
		before, known := m.Indexes[location]
		switch {
		case known && found.Serial < before.Serial:
			return &OldIndexError{location, before.Serial, found.Serial}
		case known && found.Serial == before.Serial && found.SHA256 != before.SHA256:
			return &TwoIndexesError{location, found.Serial}
		case known && found.Serial == before.Serial:
			return nil
		}
		m.Indexes[location] = found
		return writeVersioned(filepath.Join(dir, seenFile), m)
	})
}

// OldIndexError is an index that is older than one that was seen before, as somebody would show who knows what is wrong
// with the versions in it, or wants to hide what has been revoked since.
type OldIndexError struct {
	Location    string
	Seen, Found int64 // serials
}

func (e *OldIndexError) Error() string {
	return fmt.Sprintf("the index at %s has serial %d, but %d has been seen there: it is an old one", e.Location, e.Found,
		e.Seen)
}

// TwoIndexesError is an index with the serial of another.
type TwoIndexesError struct {
	Location string
	Serial   int64
}

func (e *TwoIndexesError) Error() string {
	return fmt.Sprintf("the index at %s is not the one that was seen there before, though both have serial %d: "+
		"its maker must make it again",
		e.Location, e.Serial)
}

// ExpiredIndexError is an index that its maker would have made anew by now, were somebody not holding that back.
type ExpiredIndexError struct {
	Location     string
	Expired, Now time.Time
}

func (e *ExpiredIndexError) Error() string {
	const form = "2006-01-02 15:04 MST"
	return fmt.Sprintf("the index at %s expired at %s, and it is %s: what was revoked since is not in it. "+
		"Its maker must make it again, if nobody holds that back; --allow-expired reads it all the same",
		e.Location, e.Expired.UTC().Format(form), e.Now.UTC().Format(form))
}

// revoked fails with a *RevokedError where an index that has been seen revokes a plugin.
func revoked(dir, name string, locked Locked) error {
	if !locked.packaged() {
		return nil
	}
	m, err := readMemory(dir)
	if err != nil {
		return err
	}
	for _, s := range m.Indexes {
		for _, r := range s.Revoked {
			if r.Hits(name, locked.Version, locked.Signer) {
				return &RevokedError{name, locked.Version, r}
			}
		}
	}
	return nil
}

// Revoked fails with a *RevokedError where an index that has been seen revokes an installed plugin, or its signer.
func (r *Registry) Revoked(name string) error {
	_, locked, err := r.find(name)
	if err != nil {
		return err
	}
	return revoked(r.dir, name, locked)
}

// RevokedError is a plugin that must not be used any more.
type RevokedError struct {
	Plugin, Version string
	By              index.Revocation
}

func (e *RevokedError) Error() string {
	what, reason := "it", ""
	if e.By.Key != "" {
		what = "the " + signerText(e.By.Key) + ", which has signed it,"
	}
	if e.By.Reason != "" {
		reason = ": " + e.By.Reason
	}
	return fmt.Sprintf("plugin %s %s must not be used any more: %s is revoked%s", e.Plugin, e.Version, what, reason)
}
