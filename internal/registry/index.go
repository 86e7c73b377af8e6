package registry

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/Masterminds/semver/v3"

	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/distribution/sign"
)

// IndexVariable is the environment variable that names the index to install from.
const IndexVariable = "PENSTOCK_PLUGIN_INDEX"

// Index is an index that has been read, and believed.
type Index struct {
	*index.Index
	source       index.Source
	plugin       *Registry
	text, signed []byte // as they were read
}

// Location is where the index is: a folder or a URL.
func (ix *Index) Location() string { return ix.source.Location }

// Index reads the index at a location, a folder or a URL; empty: $PENSTOCK_PLUGIN_INDEX. Whoever has signed it must be
// trusted, and it must neither be older than one that has been seen there nor have expired, see Registry.Expired. What
// it revokes starts no more, also where it has expired.
func (r *Registry) Index(ctx context.Context, location string) (*Index, error) {
	if location = cmp.Or(location, os.Getenv(IndexVariable)); location == "" {
		return nil, ErrNoIndex
	}
	source, err := index.At(location)
	if err != nil {
		return nil, err
	}
	text, err := source.ReadAll(ctx, index.File, index.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("the index: %w", err)
	}
	signed, err := source.ReadAll(ctx, index.File+sign.Suffix, sign.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("the index's signature: %w", err)
	}
	ix, found, err := r.Keyring().believe(source.Location, text, signed)
	if err != nil {
		return nil, err
	}
	if err := remember(r.dir, source.Location, found); err != nil {
		return nil, err
	}
	if now := time.Now(); ix.Expired(now) {
		expired := &ExpiredIndexError{source.Location, ix.Expires, now}
		if r.Expired == nil {
			return nil, expired
		}
		r.Expired(expired)
	}
	return &Index{ix, source, r, text, signed}, nil
}

// ErrNoIndex is that no index is named.
var ErrNoIndex = errors.New("which index? Name its folder or URL by --index, or in $" + IndexVariable)

// believe parses an index that somebody who is trusted has signed. What that signer may not sign is not in it.
func (k Keyring) believe(location string, text, signed []byte) (*index.Index, seen, error) {
	path := location + "/" + index.File
	signature, err := sign.ParseSignature(signed)
	if err != nil {
		return nil, seen{}, fmt.Errorf("%s: %w", path+sign.Suffix, err)
	}
	store, err := k.read()
	if err != nil {
		return nil, seen{}, err
	}
	signer, ok := store.ByID(signature.KeyID())
	if !ok {
		return nil, seen{}, &UntrustedError{Plugin: path, KeyID: signature.KeyID()}
	}
	if err := signature.VerifyBytes(signer.Key, text); err != nil {
		return nil, seen{}, fmt.Errorf("%s: %w", path, err)
	}
	ix, err := index.Parse(text, path)
	if err != nil {
		return nil, seen{}, err
	}
	for name := range ix.Plugins {
		if !signer.MaySign(name) {
			delete(ix.Plugins, name)
		}
	}
	ix.Revoked = slices.DeleteFunc(ix.Revoked, func(r index.Revocation) bool {
		if r.Plugin != "" {
			return !signer.MaySign(r.Plugin)
		}
		return len(signer.Plugins) > 0 && r.Key != signer.Key.String()
	})
	digest := sha256.Sum256(text)
	return ix, seen{ix.Serial, hex.EncodeToString(digest[:]), ix.Revoked}, nil
}

// Choose is the version of a plugin that Install would install.
//
// Errors: *index.NoneError.
func (ix *Index) Choose(want index.Want) (index.Chosen, error) {
	return ix.Index.Choose(want, Platform, func(version string, v index.Version) error {
		for _, revoked := range ix.Revoked {
			if revoked.Hits(want.Name, version, "") {
				return &RevokedError{want.Name, version, revoked}
			}
		}
		m := Manifest{Name: want.Name, Version: version, Protocol: v.Protocol}
		return m.Speaks()
	})
}

// Install installs a version of a plugin from the index. The package must be what the index says, and signed as one
// that is installed by its path.
func (ix *Index) Install(ctx context.Context, want index.Want, opts InstallOptions) (Plugin, error) {
	if p, locked, err := ix.plugin.find(want.Name); err == nil && want.Versions == "" && p.Package != "" {
		want.Versions = locked.Pin
	}
	chosen, err := ix.Choose(want)
	if err != nil {
		return Plugin{}, err
	}
	return ix.install(ctx, chosen, opts)
}

func (ix *Index) install(ctx context.Context, chosen index.Chosen, opts InstallOptions) (Plugin, error) {
	folder, err := os.MkdirTemp(ix.plugin.dir, downloading+"*")
	if err != nil {
		return Plugin{}, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, filepath.Base(filepath.FromSlash(chosen.Package.File)))
	if err := ix.download(ctx, chosen.Package, path); err != nil {
		return Plugin{}, err
	}
	opts.origin.source, opts.origin.index = ix.Location()+"/"+chosen.Package.File, ix.Location()
	return ix.plugin.installPackage(ctx, path, opts)
}

// origin is where a package comes from that has been fetched from an index.
type origin struct {
	source, index string
	exact         bool   // who has signed it must be:
	signer        string // a public key; empty: nobody
}

// download fetches a package, and its signature where there is one.
func (ix *Index) download(ctx context.Context, p index.Package, path string) error {
	if p.Bytes > maxPackage {
		return fmt.Errorf("%s has %d bytes, more than %d", p.File, p.Bytes, maxPackage)
	}
	file, err := ix.source.Open(ctx, p.File)
	if err != nil {
		return fmt.Errorf("the index names it, but: %w", err)
	}
	defer file.Close()
	out, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, hash), io.LimitReader(file, p.Bytes+1))
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if found := hex.EncodeToString(hash.Sum(nil)); n != p.Bytes || found != p.SHA256 {
		return &NotIndexedError{File: ix.Location() + "/" + p.File, By: "the index", Expected: p.SHA256, Found: found}
	}
	text, err := ix.source.ReadAll(ctx, p.File+sign.Suffix, sign.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // what comes of it is said where it is installed
	}
	if err != nil {
		return err
	}
	return os.WriteFile(path+sign.Suffix, text, 0o600)
}

// NotIndexedError is a package that is not the one that the index names, or what is locked.
type NotIndexedError struct{ File, By, Expected, Found string }

func (e *NotIndexedError) Error() string {
	return fmt.Sprintf("%s has SHA-256 %s, but %s says %s: it is damaged, or not the one that was published", e.File, e.Found,
		e.By, e.Expected)
}

// Outdated is an installed plugin of which its index has a newer version.
type Outdated struct {
	Name      string `json:"name"`
	Installed string `json:"installed"`
	Newest    string `json:"newest"`
	Index     string `json:"index"`
}

// Outdated are the installed plugins of which the index, or else the one that each came from, has a newer version for
// this program. Its error joins those of indexes that cannot be read.
func (r *Registry) Outdated(ctx context.Context, location string) ([]Outdated, error) {
	lock, err := r.known()
	if err != nil {
		return nil, err
	}
	var all []Outdated
	var failed error
	read := map[string]*Index{}
	for _, name := range lock.names() {
		locked := lock.Plugins[name]
		at := cmp.Or(location, locked.Index)
		if at == "" || !locked.packaged() {
			continue
		}
		ix, tried := read[at]
		if !tried {
			if ix, err = r.Index(ctx, at); err != nil {
				failed = errors.Join(failed, err)
			}
			read[at] = ix
		}
		if ix == nil {
			continue
		}
		chosen, err := ix.Choose(index.Want{Name: name, Versions: locked.Pin})
		if err == nil && newer(chosen.Version, locked.Version) {
			all = append(all, Outdated{name, locked.Version, chosen.Version, at})
		}
	}
	return all, failed
}

func newer(version, than string) bool {
	a, err := semver.StrictNewVersion(version)
	b, other := semver.StrictNewVersion(than)
	return err == nil && other == nil && a.GreaterThan(b)
}
