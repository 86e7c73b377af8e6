// Package index makes and reads the list of the packages in a folder, which a web server may hand out as it is:
//
//	index.json            serial, plugins → versions → platforms → file and SHA-256, and what is revoked
//	index.json.minisig    its signature, whose trusted comment has the serial, and what index it follows
//	NAME_VERSION_OS_ARCH.tar.zst, NAME_VERSION_OS_ARCH.tar.zst.minisig
//
// The serial goes up each time that the index is made, so that whoever has seen one knows an older one. Whoever has not
// knows it by the time at which it expires: an attacker who holds back what was revoked since can do so until then
// (a freeze attack, The Update Framework, section 1.5.2).
package index

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/Masterminds/semver/v3"

	"github.com/penstock-db/penstock/internal/distribution/archive"
	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/plaintext"
)

// File is the name of an index in its folder.
const File = "index.json"

// Format is the version of indexes. 1: the first.
const Format = 1

// MaxBytes is how long an index may be.
const MaxBytes = 16 << 20

// SerialField of a signature's trusted comment is the index's serial.
const SerialField = "serial"

// Index is a list of packages.
type Index struct {
	Format  int               `json:"index"`
	Serial  int64             `json:"serial"`
	Made    time.Time         `json:"made"`
	Expires time.Time         `json:"expires,omitzero"` // from then on it is not to be believed; zero: never
	Plugins map[string]Plugin `json:"plugins"`
	Revoked []Revocation      `json:"revoked,omitempty"`

	follows string // the SHA-256 of the index before, where this one is being made; empty: it is the first
}

// Expired tells whether the index is not to be believed at a time.
func (ix *Index) Expired(now time.Time) bool { return !ix.Expires.IsZero() && !now.Before(ix.Expires) }

// Plugin is all that there is of one.
type Plugin struct {
	Summary  string             `json:"summary,omitempty"` // of the newest version
	Versions map[string]Version `json:"versions"`
}

// Version is one version of a plugin.
type Version struct {
	Protocol  manifest.Protocol  `json:"protocol"`
	Platforms map[string]Package `json:"platforms"`
}

// Package is a package, for one platform.
type Package struct {
	File   string `json:"file"` // beside the index
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Parse reads an index and checks it. path is for messages.
//
// Errors: *manifest.Error.
func Parse(text []byte, path string) (*Index, error) {
	if len(text) > MaxBytes {
		return nil, &manifest.Error{File: path, Err: fmt.Errorf("it has %d bytes, more than %d", len(text), MaxBytes)}
	}
	ix := &Index{}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(ix); err != nil {
		return nil, &manifest.Error{File: path, Err: err}
	}
	if field, err := ix.check(); err != nil {
		return nil, &manifest.Error{File: path, Field: field, Err: err}
	}
	return ix, nil
}

func (ix *Index) check() (field string, err error) {
	switch {
	case ix.Format != Format:
		return "index", fmt.Errorf("%d is not known; this program reads format %d", ix.Format, Format)
	case ix.Serial < 1:
		return "serial", fmt.Errorf("%d is none: the first is 1", ix.Serial)
	}
	if !ix.Expires.IsZero() && !ix.Expires.After(ix.Made) {
		return "expires", fmt.Errorf("%v is not after %v, when it was made", ix.Expires, ix.Made)
	}
	for _, name := range slices.Sorted(maps.Keys(ix.Plugins)) {
		if err := manifest.CheckName(name); err != nil {
			return "plugins", err
		}
		if err := plaintext.CheckLine(ix.Plugins[name].Summary); err != nil {
			return "plugins/" + name + "/summary", err
		}
		for version, v := range ix.Plugins[name].Versions {
			if err := v.check(version); err != nil {
				return "plugins/" + name + "/" + version, err
			}
		}
	}
	for _, r := range ix.Revoked {
		if err := r.Check(); err != nil {
			return "revoked", err
		}
	}
	return "", nil
}

func (v Version) check(version string) error {
	if _, err := semver.StrictNewVersion(version); err != nil {
		return fmt.Errorf("%q is no semantic version: %w", version, err)
	}
	for platform, p := range v.Platforms {
		err := archive.CheckName(p.File)
		if err == nil {
			err = manifest.CheckDigest(p.SHA256)
		}
		if err == nil && p.Bytes < 1 {
			err = fmt.Errorf("%d bytes are no package", p.Bytes)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
	}
	return nil
}

// Revocation is what must be used no more: all that a key has signed, or versions of a plugin.
type Revocation struct {
	Key      string `json:"key,omitempty"`
	Plugin   string `json:"plugin,omitempty"`
	Versions string `json:"versions,omitempty"` // a range of semantic versions; empty: all
	Reason   string `json:"reason,omitempty"`
}

// Check fails where a revocation does not say what it must.
func (r Revocation) Check() error {
	if (r.Key == "") == (r.Plugin == "") || r.Key != "" && r.Versions != "" {
		return fmt.Errorf("%+v is neither of a key nor of a plugin", r)
	}
	if err := plaintext.CheckLine(r.Reason); err != nil {
		return fmt.Errorf("the reason %q: %w", r.Reason, err)
	}
	if r.Key != "" {
		_, err := sign.ParseKey(r.Key)
		return err
	}
	if err := manifest.CheckName(r.Plugin); err != nil {
		return err
	}
	_, err := r.versions()
	return err
}

// Hits tells whether a plugin is revoked, whose package a key has signed. A version that cannot be compared is.
func (r Revocation) Hits(plugin, version, key string) bool {
	if r.Key != "" {
		return r.Key == key
	}
	if r.Plugin != plugin {
		return false
	}
	versions, err := r.versions()
	if err != nil || versions == nil {
		return true
	}
	v, err := semver.StrictNewVersion(version)
	return err != nil || versions.Check(v)
}

// versions are those that are revoked, with those before a release; nil: all.
func (r Revocation) versions() (*semver.Constraints, error) {
	if r.Versions == "" {
		return nil, nil
	}
	c, err := semver.NewConstraint(r.Versions)
	if err != nil {
		return nil, fmt.Errorf("%q is no range of versions: %w", r.Versions, err)
	}
	c.IncludePrerelease = true
	return c, nil
}
