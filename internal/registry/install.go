package registry

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/durable"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/regular"
)

// InstallOptions say how to install. The zero value is useful.
type InstallOptions struct {
	Replace   bool // an installed plugin of the same name, whatever it is
	Downgrade bool // a package may take the place of a newer one
	// AllowUnsigned are the names of plugins whose packages need no signature.
	AllowUnsigned []string

	origin origin // of a package that has been fetched; none: its path
}

// Install puts a plugin into the directory and locks it. path is a package (see InstallOptions for what is asked of
// it); or a folder with a manifest, of which all platforms' programs that are there are taken, and the one for this
// platform must be; or a single program, which is started once to learn its name and version. Whatever fails, nothing
// is left half installed, and what was installed before stays.
func (r *Registry) Install(ctx context.Context, path string, opts InstallOptions) (Plugin, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Plugin{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Plugin{}, err
	}
	if packaged, err := isPackage(path, info); err != nil || packaged {
		if err != nil {
			return Plugin{}, err
		}
		return r.installPackage(ctx, path, opts)
	}
	folder := path
	var m *Manifest
	if info.IsDir() {
		m, err = readFolder(path)
	} else {
		folder = filepath.Dir(path)
		m, err = Describe(ctx, path, "", confine.AnyHardware())
	}
	if err != nil {
		return Plugin{}, err
	}
	if err := r.installCopy(folder, path, m, opts); err != nil {
		return Plugin{}, err
	}
	return r.Info(m.Name)
}

// readFolder reads the manifest of a folder that is to be copied.
func readFolder(folder string) (*Manifest, error) {
	m, err := manifest.ReadFolder(folder)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, manifest.File)
	for platform, program := range m.Platforms {
		if program.File != filepath.Base(program.File) {
			return nil, &ManifestError{File: file, Field: "platforms/" + platform, Err: fmt.Errorf(
				"%q lies in a folder of its own: `penstock plugin pack` makes a package, which may have folders", program.File)}
		}
	}
	return m, installable(m, file)
}

// installable fails where this program cannot use a plugin, on any platform.
func installable(m *Manifest, file string) error {
	if reserved(m.Name) {
		return &ManifestError{File: file, Field: "name", Err: fmt.Errorf("%q is built in", m.Name)}
	}
	return m.Speaks()
}

// reserved names mean something else as --device, or as what is to be installed.
func reserved(name string) bool { return isBuiltIn(name) || name == NPU }

// isBuiltIn tells the names that are never of what is installed.
func isBuiltIn(name string) bool { return name == "cpu" || name == "auto" }

// Describe starts a program with these rights, and makes the manifest of it from what it says of itself. folder is
// where it may read; empty: nowhere.
func Describe(ctx context.Context, path, folder string, grants confine.Grants) (*Manifest, error) {
	digest, err := launch.Digest(path)
	if err != nil {
		return nil, err
	}
	p, err := launch.Start(ctx, launch.Spec{Name: filepath.Base(path), Path: path, SHA256: digest, Folder: folder,
		Grants: grants}, launch.Options{})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	d, err := p.Device.Describe(ctx)
	if err != nil {
		return nil, err
	}
	m := &Manifest{
		Name: d.Name, Version: d.Version, Kind: manifest.KindDevice,
		Protocol:   manifest.Protocol{Min: p.Protocol(), Max: p.Protocol()},
		Platforms:  map[string]manifest.Program{Platform: {File: filepath.Base(path), SHA256: digest}},
		Algorithms: d.Algorithms,
	}
	if err := m.Check(path); err != nil {
		return nil, err
	}
	return m, installable(m, path)
}

// installCopy copies into a folder beside the final one, and renames when all is there.
func (r *Registry) installCopy(folder, source string, m *Manifest, opts InstallOptions) error {
	return r.change(func(lock *Lock) error {
		if old, ok := lock.Plugins[m.Name]; ok && !opts.Replace {
			return &InstalledError{Name: m.Name, Version: old.Version}
		}
		temp, err := temporary(r.dir)
		if err != nil {
			return err
		}
		defer os.RemoveAll(temp)
		copied, err := copyPrograms(folder, temp, m)
		if err != nil {
			return err
		}
		if err := writeManifest(temp, m, copied); err != nil {
			return err
		}
		locked := Locked{Version: m.Version, Source: source, Platforms: copied, Algorithms: m.Algorithms}
		if err := lock.free(m.Name, m.Algorithms); err != nil {
			return err
		}
		return publish(r.dir, lock, m.Name, temp, locked)
	})
}

// temporary makes a folder in which something is put together that is to be installed.
func temporary(dir string) (string, error) {
	var unique [4]byte
	_, _ = rand.Read(unique[:]) // never fails
	temp := filepath.Join(dir, unfinished+hex.EncodeToString(unique[:]))
	return temp, os.Mkdir(temp, 0o755)
}

// copyPrograms copies the programs that are there and checks what was copied.
func copyPrograms(from, to string, m *Manifest) (map[string]File, error) {
	copied := map[string]File{}
	for platform, program := range m.Platforms {
		target := filepath.Join(to, program.File)
		err := copyFile(filepath.Join(from, program.File), target)
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
		if program.SHA256 != "" && found != program.SHA256 {
			return nil, fmt.Errorf(
				"%s has SHA-256 %s, but its manifest says %s: it is damaged or not the one that was published",
				filepath.Join(from, program.File), found, program.SHA256)
		}
		copied[platform] = File{File: program.File, SHA256: found}
	}
	if _, ok := copied[Platform]; !ok {
		return nil, &PlatformError{Plugin: m.Name, Platform: Platform}
	}
	return copied, nil
}

// maxProgram is how large a program may be that is in no package, in bytes: as large as all that a package has.
const maxProgram = 4 << 30

func copyFile(from, to string) error {
	in, err := regular.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil || info.Size() > maxProgram {
		return cmp.Or(err, error(&regular.LimitError{Path: from, Most: maxProgram}))
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, maxProgram))
	if err == nil {
		err = out.Sync()
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

// writeManifest leaves a manifest of the programs that are there.
func writeManifest(folder string, m *Manifest, copied map[string]File) error {
	there := *m
	there.Platforms = map[string]manifest.Program{}
	for platform, file := range copied {
		there.Platforms[platform] = manifest.Program{File: file.File, SHA256: file.SHA256}
	}
	text, err := there.Text()
	if err != nil {
		return err
	}
	if err := durable.Write(filepath.Join(folder, manifest.File), text, 0o644); err != nil {
		return err
	}
	return durable.SyncDir(folder)
}

// Remove uninstalls a plugin: first from the lock file, then its folder.
func (r *Registry) Remove(name string) error {
	folder := ""
	err := r.change(func(lock *Lock) error {
		locked, ok := lock.Plugins[name]
		if !ok {
			return &UnknownPluginError{Name: name, Dir: r.dir, Installed: lock.names()}
		}
		if folder = locked.Folder; folder == "" {
			folder = name
		}
		delete(lock.Plugins, name)
		return nil
	})
	if err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(r.dir, folder))
}
