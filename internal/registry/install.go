package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/launch"
)

// InstallOptions say how to install. The zero value is useful.
type InstallOptions struct {
	Replace bool // an installed plugin of the same name
}

// Install copies a plugin into the directory and locks it. path is a folder with a
// manifest (all its platforms' programs that are there are taken; the one for this
// platform must be), or a single program, which is started once to learn its name and
// version. Whatever fails, nothing is left half installed.
func (r *Registry) Install(ctx context.Context, path string, opts InstallOptions) (Plugin, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Plugin{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Plugin{}, err
	}
	folder := path
	var manifest *Manifest
	if info.IsDir() {
		manifest, err = ReadManifest(filepath.Join(path, ManifestFile))
	} else {
		folder = filepath.Dir(path)
		manifest, err = describe(ctx, path)
	}
	if err != nil {
		return Plugin{}, err
	}
	if err := r.install(folder, path, manifest, opts); err != nil {
		return Plugin{}, err
	}
	return r.Info(manifest.Name)
}

// describe makes the manifest of a single program from what it says of itself.
func describe(ctx context.Context, path string) (*Manifest, error) {
	digest, err := launch.Digest(path)
	if err != nil {
		return nil, err
	}
	p, err := launch.Start(ctx, launch.Spec{Name: filepath.Base(path), Path: path, SHA256: digest,
		Grants: confine.AnyHardware()}, launch.Options{})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	d, err := p.Device.Describe(ctx)
	if err != nil {
		return nil, err
	}
	m := &Manifest{
		Name: d.Name, Version: d.Version, Kind: KindDevice,
		Protocol:  Protocol{Min: p.Protocol(), Max: p.Protocol()},
		Platforms: map[string]File{Platform: {File: filepath.Base(path), SHA256: digest}},
	}
	return m, m.check(path)
}

// install copies into a folder beside the final one, and renames when all is there.
func (r *Registry) install(folder, source string, m *Manifest, opts InstallOptions) error {
	return r.change(func(lock *Lock) error {
		if old, ok := lock.Plugins[m.Name]; ok && !opts.Replace {
			return &InstalledError{Name: m.Name, Version: old.Version}
		}
		temp, err := os.MkdirTemp(r.dir, ".install-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temp)
		if m.Platforms, err = copyPrograms(folder, temp, m); err != nil {
			return err
		}
		if err := writeManifest(temp, m); err != nil {
			return err
		}
		lock.Plugins[m.Name] = Locked{Version: m.Version, Source: source, Platforms: m.Platforms}
		return replaceFolder(temp, filepath.Join(r.dir, m.Name))
	})
}

// copyPrograms copies the programs that are there and checks what was copied.
func copyPrograms(from, to string, m *Manifest) (map[string]File, error) {
	copied := map[string]File{}
	for platform, file := range m.Platforms {
		target := filepath.Join(to, file.File)
		err := copyFile(filepath.Join(from, file.File), target)
		if errors.Is(err, os.ErrNotExist) && platform != Platform {
			continue
		}
		if err != nil {
			return nil, err
		}
		found, err := launch.Digest(target)
		if err != nil {
			return nil, err
		}
		if found != file.SHA256 {
			return nil, fmt.Errorf(
				"%s has SHA-256 %s, but its manifest says %s: it is damaged or not the one that was published",
				filepath.Join(from, file.File), found, file.SHA256)
		}
		copied[platform] = file
	}
	if _, ok := copied[Platform]; !ok {
		return nil, &PlatformError{Plugin: m.Name, Platform: Platform}
	}
	return copied, nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Sync()
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

func writeManifest(folder string, m *Manifest) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return replaceFile(filepath.Join(folder, ManifestFile), append(text, '\n'))
}

// replaceFolder puts a finished folder into its place. A crash between its two steps
// leaves the lock file naming programs that are not there, which Verify finds.
func replaceFolder(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// Remove uninstalls a plugin: first from the lock file, then its folder.
func (r *Registry) Remove(name string) error {
	err := r.change(func(lock *Lock) error {
		if _, ok := lock.Plugins[name]; !ok {
			return &UnknownPluginError{Name: name, Dir: r.dir, Installed: lock.names()}
		}
		delete(lock.Plugins, name)
		return nil
	})
	if err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(r.dir, name))
}
