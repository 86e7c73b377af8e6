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
	"strings"

	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/distribution/archive"
	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/distribution/pack"
	"github.com/penstock-db/penstock/internal/durable"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/regular"
)

// In the folder of a plugin that was installed from a package are the package and what was in it.
const (
	packageFile    = "package" + pack.Suffix
	unpackedFolder = "plugin"
)

// maxPackage is how large a package may be, in bytes.
const maxPackage = 2 << 30

// magic is how files begin that are compressed by Zstandard. No program does.
const magic = "\x28\xb5\x2f\xfd"

// isPackage tells a package from a program, by its first bytes, or its name, where it is damaged.
func isPackage(path string, info fs.FileInfo) (bool, error) {
	if !info.Mode().IsRegular() {
		return false, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	var first [len(magic)]byte
	_, err = io.ReadFull(file, first[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return string(first[:]) == magic || strings.HasSuffix(path, pack.Suffix), nil
}

// installPackage goes these steps, in a folder of their own, while nobody else changes the plugin directory:
//
//  1. copy the package, so that nobody changes what has been looked at
//  2. verify its signature
//  3. unpack it; each file must be what the manifest says
//  4. compare with this program, and with what is installed
//  5. rename the folder into place, and then name it in the lock file
//
// A process that is killed leaves the lock file as it was until the last step, and all that it names.
func (r *Registry) installPackage(ctx context.Context, path string, opts InstallOptions) (Plugin, error) {
	name := ""
	err := r.change(func(lock *Lock) error {
		temp, err := temporary(r.dir)
		if err != nil {
			return err
		}
		defer os.RemoveAll(temp)
		digest, err := copyPackage(ctx, path, filepath.Join(temp, packageFile))
		if err != nil {
			return err
		}
		key, reason, err := r.Keyring().keepSignature(path, temp)
		if err != nil {
			return err
		}
		unpacked, err := unpack(ctx, temp)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		m := unpacked.Manifest
		if name = m.Name; m.Package.Platform != Platform {
			return &PlatformError{Plugin: name, Platform: Platform, For: m.Package.Platform}
		}
		if err := installable(m, path); err != nil {
			return err
		}
		signer, err := signedAs(name, path, key, reason, opts)
		if err != nil {
			return err
		}
		if err := lock.free(name, m.Algorithms); err != nil {
			return err
		}
		locked := Locked{Version: m.Version, Source: cmp.Or(opts.origin.source, path), Index: opts.origin.index,
			Signer: signer, Platforms: locks(unpacked, digest), Algorithms: m.Algorithms}
		if err := revoked(r.dir, name, locked); err != nil {
			return err
		}
		if opts.origin.exact && signer != opts.origin.signer {
			return &OtherSignerError{Plugin: name, Expected: signerText(opts.origin.signer), Found: signerText(signer)}
		}
		if old, ok := lock.Plugins[name]; ok {
			if err := succeeds(name, old, locked, opts); err != nil {
				return err
			}
			locked.Pin = old.Pin
		}
		return publish(r.dir, lock, name, temp, locked)
	})
	if err != nil {
		return Plugin{}, err
	}
	return r.Info(name)
}

// copyPackage copies a package and tells its SHA-256.
func copyPackage(ctx context.Context, from, to string) (string, error) {
	in, err := regular.Open(from)
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, hash), io.LimitReader(in, maxPackage+1))
	if err == nil && n > maxPackage {
		err = fmt.Errorf("%s: %w", from, &archive.LimitError{What: "bytes", Limit: maxPackage})
	}
	if err == nil {
		err = ctx.Err()
	}
	return hex.EncodeToString(hash.Sum(nil)), errors.Join(err, out.Sync(), out.Close())
}

// unpack unpacks the package in a folder beside it.
func unpack(ctx context.Context, folder string) (pack.Unpacked, error) {
	file, err := os.Open(filepath.Join(folder, packageFile))
	if err != nil {
		return pack.Unpacked{}, err
	}
	defer file.Close()
	into := filepath.Join(folder, unpackedFolder)
	if err := os.Mkdir(into, 0o755); err != nil {
		return pack.Unpacked{}, err
	}
	unpacked, err := pack.Unpack(ctx, file, into, archive.DefaultLimits)
	if err != nil {
		return pack.Unpacked{}, err
	}
	return unpacked, durable.SyncDir(folder)
}

// locks are the programs of all platforms, and the package of this one.
func locks(unpacked pack.Unpacked, digest string) map[string]File {
	all := map[string]File{}
	for platform, program := range unpacked.Manifest.Platforms {
		all[platform] = File{File: program.File, SHA256: program.SHA256}
	}
	this := all[Platform]
	this.Package, this.Manifest = digest, unpacked.SHA256
	all[Platform] = this
	return all
}

// packagedSpec says how to start a plugin that was installed from a package: with the rights that its manifest asks
// for.
func packagedSpec(dir, name string, locked Locked) (launch.Spec, error) {
	file, folder := locked.Platforms[Platform], filepath.Join(dir, locked.folder(name))
	m, err := pack.Read(folder, file.Manifest)
	if err == nil {
		err = pack.Names(folder, m)
	}
	if err == nil {
		err = locked.is(name, m)
	}
	if err != nil {
		return launch.Spec{}, damaged(name, err)
	}
	return launch.Spec{Name: name, Version: locked.Version, Path: filepath.Join(folder, filepath.FromSlash(file.File)),
		SHA256: file.SHA256, Folder: folder, Package: file.Package, Contents: contents(folder, m, file.File),
		Grants: m.Permissions}, nil
}

// is fails where the lock file tells of another plugin or program than the manifest, which the signature is of.
func (l Locked) is(name string, m *manifest.Manifest) error {
	file, program := l.Platforms[Platform], m.Platforms[Platform].File
	for _, one := range []struct{ what, locked, packed string }{
		{"name", name, m.Name}, {"version", l.Version, m.Version}, {"program", file.File, program},
		{"SHA-256", strings.ToLower(file.SHA256), m.Package.Contents[program].SHA256},
	} {
		if one.locked != one.packed {
			return fmt.Errorf("the lock file says that its %s is %s, and its manifest says %s", one.what, one.locked,
				one.packed)
		}
	}
	return nil
}

// contents are the files of a package, but for the program.
func contents(folder string, m *manifest.Manifest, program string) (all []launch.File) {
	for name, content := range m.Package.Contents {
		if name != program {
			all = append(all, launch.File{Path: filepath.Join(folder, filepath.FromSlash(name)), SHA256: content.SHA256})
		}
	}
	slices.SortFunc(all, launch.File.Compare)
	return all
}

// damaged says what to do about files of a package that are not what they were.
func damaged(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &LostError{Plugin: name, Err: err}
	}
	return fmt.Errorf("plugin %s: %w; install it again, with --replace", name, err)
}

// Permissions are what a plugin may do beyond what every plugin may.
func (r *Registry) Permissions(name string) (confine.Grants, error) {
	_, locked, err := r.find(name)
	if err != nil || !locked.packaged() {
		return confine.Grants{}, err
	}
	spec, err := packagedSpec(r.dir, name, locked)
	return spec.Grants, err
}
