// Package registry keeps installed plugins: one folder each, and one lock file that says
// what was installed.
//
//	DIR/plugins.lock.json             name → version, source, algorithms, file and SHA-256 for each platform,
//	                                  or, of npu, the libraries that this program loads as that device
//	DIR/NAME/plugin.yaml              of a program or a folder that was copied: the manifest
//	DIR/NAME/FILE                     the program
//	DIR/NAME@01234567/package.tar.zst of a package: itself
//	DIR/NAME@01234567/package.tar.zst.minisig  its signature
//	DIR/NAME@01234567/plugin/…        what was in it
//	DIR/trust.json                    whose signatures are believed
//	DIR/indexes.json                  which indexes have been seen, and what they revoke
//
//	Install ──copies──▶ DIR/NAME ──records──▶ lock ──Resolve──▶ launch.Spec
//	                                            └──Verify──▶ is it still the same file?
//
// The lock file decides: a program whose checksum differs from it is never started. It is
// made to be kept under version control and to be edited by this package only. What is installed comes to lie in a
// folder that the lock file does not name, and then a new lock file is renamed into place: a crash at any time leaves
// what there was, whole.
//
// A program or a folder is trusted because the user has named its path. Of a package that is not enough: somebody who
// is trusted with the plugin must have signed it, when it is installed and at every start.
package registry

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/launch"
)

// DirVariable is the environment variable that names another plugin directory.
const DirVariable = "PENSTOCK_PLUGIN_DIR"

// Registry is a plugin directory. It may be used by several processes and goroutines at once.
type Registry struct {
	// Expired is told of each index that has expired, and that is read all the same. Nil: it is refused.
	Expired func(*ExpiredIndexError)

	dir  string
	last unchanged
}

// Plugin is an installed plugin.
type Plugin struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Source  string `json:"source"` // where it was installed from
	Path    string `json:"path"`   // of the program for this platform; empty: it has none
	SHA256  string `json:"sha256"` // of that program, as locked
	// Package is the SHA-256 of the package that it was installed from. Empty: it is from no package.
	Package string `json:"package,omitempty"`
	// Signer is the public key of who has signed that package. Empty: nobody has.
	Signer string `json:"signer,omitempty"`
	// Algorithms are those that it brings along.
	Algorithms []algorithms.Definition `json:"algorithms,omitempty"`
	// Runtime is what the NPU plugin loads, which has no program of its own. Nil: it has one.
	Runtime *Runtime `json:"runtime,omitempty"`
}

// Manifest is what the maker of a plugin says of it.
type Manifest = manifest.Manifest

// Platform is the one this program runs on, as manifests name it.
const Platform = runtime.GOOS + "/" + runtime.GOARCH

// Open uses the plugin directory dir. Empty: $PENSTOCK_PLUGIN_DIR, else penstock/plugins
// in the user's configuration directory. It need not exist.
func Open(dir string) (*Registry, error) {
	if dir == "" {
		dir = os.Getenv(DirVariable)
	}
	if dir == "" {
		config, err := os.UserConfigDir()
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(config, "penstock", "plugins")
	}
	return &Registry{dir: dir}, nil
}

// Dir is the plugin directory.
func (r *Registry) Dir() string { return r.dir }

// List gives the installed plugins by name.
func (r *Registry) List() ([]Plugin, error) {
	lock, err := r.known()
	if err != nil {
		return nil, err
	}
	var all []Plugin
	for _, name := range lock.names() {
		all = append(all, r.plugin(name, lock.Plugins[name]))
	}
	return all, nil
}

// Info is the installed plugin of that name, or an *UnknownPluginError.
func (r *Registry) Info(name string) (Plugin, error) {
	p, _, err := r.find(name)
	return p, err
}

func (r *Registry) find(name string) (Plugin, Locked, error) {
	lock, err := r.known()
	if err != nil {
		return Plugin{}, Locked{}, err
	}
	locked, ok := lock.Plugins[name]
	if !ok {
		return Plugin{}, Locked{}, &UnknownPluginError{Name: name, Dir: r.dir, Installed: lock.names()}
	}
	return r.plugin(name, locked), locked, nil
}

func (r *Registry) plugin(name string, locked Locked) Plugin {
	p := Plugin{Name: name, Version: locked.Version, Source: locked.Source, Signer: locked.Signer, Runtime: locked.Runtime,
		Algorithms: locked.Algorithms}
	if file, ok := locked.Platforms[Platform]; ok {
		p.Path = filepath.Join(r.dir, locked.folder(name), filepath.FromSlash(file.File))
		p.SHA256, p.Package = file.SHA256, file.Package
	}
	return p
}

// Resolve says how to start an installed plugin, if it may start (see permit). launch.Start compares the checksum.
func (r *Registry) Resolve(name string) (launch.Spec, error) {
	p, locked, err := r.find(name)
	if err == nil {
		err = r.Keyring().permit(name, locked)
	}
	switch {
	case err != nil:
		return launch.Spec{}, err
	case p.Runtime != nil:
		return p.Runtime.spec()
	case p.Path == "":
		return launch.Spec{}, &PlatformError{Plugin: name, Platform: Platform}
	case locked.packaged():
		return packagedSpec(r.dir, name, locked)
	}
	return launch.Spec{Name: p.Name, Version: p.Version, Path: p.Path, SHA256: p.SHA256, Folder: filepath.Dir(p.Path),
		Grants: confine.AnyHardware()}, nil
}

// Files are those that the plugin is made of on this platform, the first of which names it.
func (p Plugin) Files() []launch.File {
	if p.Runtime != nil {
		return p.Runtime.Libraries
	}
	return []launch.File{{Path: p.Path, SHA256: p.SHA256}}
}
