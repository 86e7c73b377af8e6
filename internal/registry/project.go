package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/penstock-db/penstock/internal/distribution/archive"
	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/regular"
)

// ProjectFile is the name of the file, in a folder of a user's, that says which plugins what is there needs.
const ProjectFile = "penstock.lock"

// Project is which plugins are needed: the same ones on every machine. It trusts nobody: whose signatures are believed,
// each machine's operator says.
type Project struct {
	Version int                 `json:"version"` // 1
	Plugins map[string]Required `json:"plugins"`
}

// Required is a version of a plugin.
type Required struct {
	Version   string                   `json:"version"`
	Index     string                   `json:"index"`            // a URL, or a folder, relative to that of the file
	Signer    string                   `json:"signer,omitempty"` // a public key; empty: nobody has signed it
	Platforms map[string]index.Package `json:"platforms"`        // all that there are
}

// maxProject is how long the file may be.
const maxProject = 8 << 20

// ReadProject reads a project's file.
//
// Errors: *ManifestError, those of reading.
func ReadProject(path string) (*Project, error) {
	text, err := regular.Read(path, maxProject)
	if limit := (*regular.LimitError)(nil); errors.As(err, &limit) {
		err = &ManifestError{File: path, Err: fmt.Errorf("it has more than %d bytes", maxProject)}
	}
	if err != nil {
		return nil, err
	}
	return parseProject(text, path)
}

func parseProject(text []byte, path string) (*Project, error) {
	p := &Project{}
	if err := readVersioned(text, path, p, &p.Version); err != nil {
		return nil, err
	}
	for name, required := range p.Plugins {
		err := manifest.CheckName(name)
		if err == nil {
			err = required.check()
		}
		if err != nil {
			return nil, &ManifestError{File: path, Field: "plugins/" + name, Err: err}
		}
	}
	return p, nil
}

func (r Required) check() error {
	if _, err := semver.StrictNewVersion(r.Version); err != nil {
		return err
	}
	if r.Index == "" {
		return errors.New("it names no index")
	}
	if _, err := sign.ParseKey(r.Signer); r.Signer != "" && err != nil {
		return err
	}
	for platform, p := range r.Platforms {
		err := archive.CheckName(p.File)
		if err == nil {
			err = manifest.CheckDigest(p.SHA256)
		}
		if err == nil && p.Bytes < 1 {
			err = errors.New("it has no size")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
	}
	return nil
}

// Write puts a project's file in the place of the one that there is.
func (p *Project) Write(path string) error {
	return writeVersioned(path, p)
}

// Needs are a project's file and the plugin directory that has what it needs.
type Needs struct {
	Path     string
	registry *Registry
}

// NeedsOf is the file of a project in a folder, and what is installed.
func NeedsOf(folder string, r *Registry) Needs { return Needs{filepath.Join(folder, ProjectFile), r} }

// Require puts installed plugins, by their names, none being all, into a project's file: what is installed of each,
// with the packages of all platforms as its index has them. What is from no index cannot be brought elsewhere: left
// names it.
func (n Needs) Require(ctx context.Context, names ...string) (written, left []string, err error) {
	lock, err := n.registry.known()
	if err != nil {
		return nil, nil, err
	}
	project, err := ReadProject(n.Path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(names) == 0 {
		project, err = &Project{Version: 1, Plugins: map[string]Required{}}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if len(names) == 0 {
		names = lock.names()
	}
	for _, name := range names {
		locked, ok := lock.Plugins[name]
		if !ok {
			return nil, nil, &UnknownPluginError{Name: name, Dir: n.registry.dir, Installed: lock.names()}
		}
		if locked.Index == "" {
			left = append(left, name)
			continue
		}
		if project.Plugins[name], err = required(ctx, n.registry, filepath.Dir(n.Path), name, locked); err != nil {
			return nil, nil, err
		}
		written = append(written, name)
	}
	if len(written) == 0 {
		return nil, left, nil
	}
	return written, left, project.Write(n.Path)
}

func required(ctx context.Context, r *Registry, folder, name string, locked Locked) (Required, error) {
	ix, err := r.Index(ctx, locked.Index)
	if err != nil {
		return Required{}, err
	}
	platforms := ix.Plugins[name].Versions[locked.Version].Platforms
	found, installed := platforms[Platform], locked.Platforms[Platform].Package
	if found.SHA256 != installed {
		return Required{}, &NotIndexedError{File: name + " " + locked.Version + ", as it is installed,",
			By: "the index at " + ix.Location(), Expected: found.SHA256, Found: installed}
	}
	return Required{locked.Version, relativeTo(folder, ix.Location()), locked.Signer, platforms}, nil
}

// relativeTo is the location of an index as it is written down in a folder.
func relativeTo(folder, location string) string {
	folder, err := filepath.Abs(folder)
	if err != nil || strings.Contains(location, "://") {
		return location
	}
	if relative, err := filepath.Rel(folder, location); err == nil && filepath.IsLocal(relative) {
		return filepath.ToSlash(relative)
	}
	return location
}

// Brought is a plugin that a project needs, and whether it had to be installed.
type Brought struct {
	Plugin
	New bool `json:"new"`
}

// Bring installs what a project needs, whatever version is there now, from where it says, or from another index that
// has the same packages. The packages must be those that the file names, by their signers.
func (n Needs) Bring(ctx context.Context, location string, opts InstallOptions) ([]Brought, error) {
	project, err := ReadProject(n.Path)
	if err != nil {
		return nil, err
	}
	opts.Replace, opts.Downgrade = true, true
	var all []Brought
	for _, name := range slices.Sorted(maps.Keys(project.Plugins)) {
		required := project.Plugins[name]
		found, isNew, err := bring(ctx, n.registry, name, required, cmp.Or(location, from(n.Path, required.Index)), opts)
		if err != nil {
			return all, fmt.Errorf("%s: %s %s: %w", n.Path, name, required.Version, err)
		}
		all = append(all, Brought{found, isNew})
	}
	return all, nil
}

// from is where an index is that a project's file names.
func from(path, location string) string {
	if strings.Contains(location, "://") || filepath.IsAbs(location) {
		return location
	}
	return filepath.Join(filepath.Dir(path), filepath.FromSlash(location))
}

func bring(ctx context.Context, r *Registry, name string, required Required, location string, opts InstallOptions) (
	p Plugin, isNew bool, err error) {
	here, ok := required.Platforms[Platform]
	if !ok {
		return Plugin{}, false, &PlatformError{Plugin: name, Platform: Platform}
	}
	if p, err := r.Info(name); err == nil && p.Package == here.SHA256 && p.Signer == required.Signer {
		return p, false, r.Verify(name)
	}
	ix, err := r.Index(ctx, location)
	if err != nil {
		return Plugin{}, false, err
	}
	opts.origin.exact, opts.origin.signer = true, required.Signer
	p, err = ix.install(ctx, index.Chosen{Name: name, Version: required.Version, Package: here}, opts)
	if another := new(NotIndexedError); errors.As(err, &another) {
		another.By = ProjectFile
	}
	return p, true, err
}

// Only fails with an *ExtraError where a package is installed that a project does not name.
func (n Needs) Only() error {
	project, err := ReadProject(n.Path)
	if err != nil {
		return err
	}
	lock, err := n.registry.known()
	if err != nil {
		return err
	}
	extra := slices.DeleteFunc(lock.names(), func(name string) bool {
		_, needed := project.Plugins[name]
		return needed || !lock.Plugins[name].packaged()
	})
	if len(extra) > 0 {
		return &ExtraError{n.Path, extra}
	}
	return nil
}

// ExtraError is that packages are installed which a project does not name.
type ExtraError struct {
	File    string
	Plugins []string
}

func (e *ExtraError) Error() string {
	return fmt.Sprintf("%s does not name what is installed: %s", e.File, strings.Join(e.Plugins, ", "))
}

// OtherSignerError is a package that somebody else has signed than a project's file says.
type OtherSignerError struct{ Plugin, Expected, Found string }

func (e *OtherSignerError) Error() string {
	return fmt.Sprintf("plugin %s is signed by %s, not by %s", e.Plugin, e.Found, e.Expected)
}
