package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/distribution/pack"
	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/durable"
)

// Edition is what is said of an index when it is made, beside what is in its folder.
type Edition struct {
	Revoke []Revocation  // more than before
	Valid  time.Duration // from now on; 0: for ever
	// Changed allows packages to be others than those that the index has named before under the same version.
	Changed bool
	// Least is the serial of the last one that was made of the folder, as far as its maker remembers.
	Least int64
	// Previous are keys that may have signed the index before, beside the one that signs.
	Previous []sign.Key
}

// Lifetime is for how long an index is to be believed unless its maker says otherwise.
const Lifetime = 90 * 24 * time.Hour

// Make lists the packages in a folder, with what its index has revoked before and what is revoked now, and signs that.
// Who may change the folder, and has no key, cannot take back what is revoked: the index before must be signed as well.
//
// Errors: *UnprovenError, *OlderError, *manifest.Error, *TwiceError, *ChangedError, *sign.ForgedError of a package
// that was signed before it was packed anew, those of pack.Inspect, reading and writing.
func Make(ctx context.Context, folder string, secret sign.Secret, e Edition) (*Index, error) {
	ix := &Index{Format: Format, Made: time.Now().UTC().Truncate(time.Second), Plugins: map[string]Plugin{}}
	if e.Valid != 0 {
		ix.Expires = ix.Made.Add(e.Valid)
	}
	before, err := readPrevious(ctx, folder, append([]sign.Key{secret.Key()}, e.Previous...)...)
	if err != nil {
		return nil, err
	}
	if before.Serial < e.Least {
		return nil, &OlderError{folder, before.Serial, e.Least}
	}
	ix.Serial, ix.Revoked, ix.follows = before.Serial+1, before.Revoked, before.digest
	for _, r := range e.Revoke {
		if !slices.Contains(ix.Revoked, r) {
			ix.Revoked = append(ix.Revoked, r)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if entry.Type().IsRegular() && strings.HasSuffix(entry.Name(), pack.Suffix) {
			if err := ix.add(ctx, folder, entry.Name(), secret.Key()); err != nil {
				return nil, err
			}
		}
	}
	if !e.Changed {
		if err := ix.keeps(before.Index); err != nil {
			return nil, err
		}
	}
	return ix, ix.Write(folder, secret)
}

// keeps fails with a *ChangedError where a package is another than it was before. Who has locked that one could install
// it no more, and whoever looks at versions alone would not see that it is another.
func (ix *Index) keeps(before *Index) error {
	for name, plugin := range before.Plugins {
		for version, v := range plugin.Versions {
			for platform, was := range v.Platforms {
				is, ok := ix.Plugins[name].Versions[version].Platforms[platform]
				if ok && is.SHA256 != was.SHA256 {
					return &ChangedError{Plugin: name + " " + version, File: is.File, Before: was.SHA256, Now: is.SHA256}
				}
			}
		}
	}
	return nil
}

// Write leaves an index and its signature in a folder. The signature comes first: who fetches both in between is told
// that they do not fit, and asks again.
func (ix *Index) Write(folder string, secret sign.Secret) error {
	if field, err := ix.check(); err != nil {
		return &manifest.Error{File: filepath.Join(folder, File), Field: field, Err: err}
	}
	text, err := ix.Text()
	if err != nil {
		return err
	}
	fields := []string{fmt.Sprint("timestamp:", ix.Made.Unix()), "file:" + File, fmt.Sprint(SerialField, ":", ix.Serial)}
	if ix.follows != "" {
		fields = append(fields, FollowsField+":"+ix.follows)
	}
	signature, err := secret.Sign(strings.NewReader(string(text)), fields...)
	if err != nil {
		return err
	}
	if err := durable.Replace(filepath.Join(folder, File+sign.Suffix), signature.Text(), 0o644); err != nil {
		return err
	}
	return durable.Replace(filepath.Join(folder, File), text, 0o644)
}

// ChangedError is a package that is another than the index has named before under its version.
type ChangedError struct{ Plugin, File, Before, Now string }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s: %s has SHA-256 %s, but the index has had %s: give what has changed another version, "+
		"for nobody who has locked this one could install it. --changed lists it all the same",
		e.Plugin, e.File, e.Now, e.Before)
}

// TwiceError is two packages of one version of a plugin for one platform.
type TwiceError struct{ One, Other string }

func (e *TwiceError) Error() string {
	return fmt.Sprintf("%s and %s are packages of the same version for the same platform: leave one of them",
		e.One, e.Other)
}

func (ix *Index) add(ctx context.Context, folder, name string, key sign.Key) error {
	path := filepath.Join(folder, name)
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	found, err := pack.Inspect(ctx, file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	hash := sha256.New()
	size, err := io.Copy(hash, file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = checkSignature(path, file, key)
	}
	if err != nil {
		return err
	}
	m := found.Manifest
	p, ok := ix.Plugins[m.Name]
	if !ok {
		p.Versions = map[string]Version{}
	}
	v, ok := p.Versions[m.Version]
	if !ok {
		v = Version{Protocol: m.Protocol, Platforms: map[string]Package{}}
	}
	if other, ok := v.Platforms[m.Package.Platform]; ok {
		return &TwiceError{other.File, name}
	}
	v.Platforms[m.Package.Platform] = Package{File: name, SHA256: hex.EncodeToString(hash.Sum(nil)), Bytes: size}
	p.Versions[m.Version] = v
	if newest := p.Newest(); newest == m.Version {
		p.Summary = m.Summary
	}
	ix.Plugins[m.Name] = p
	return nil
}

// Newest is the highest version, releases before others; empty: there is none.
func (p Plugin) Newest() string {
	if all := p.Ordered(); len(all) > 0 {
		return all[0].Original()
	}
	return ""
}

// Ordered are the versions, the highest first.
func (p Plugin) Ordered() []*semver.Version {
	var all []*semver.Version
	for version := range p.Versions {
		if v, err := semver.StrictNewVersion(version); err == nil {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b *semver.Version) int { return b.Compare(a) })
	return all
}
