package pack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/distribution/archive"
	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/durable"
)

// Unpacked is what a package has turned out to be.
type Unpacked struct {
	Manifest *manifest.Manifest
	// SHA256 of the manifest's text, which has the SHA-256 of all else.
	SHA256 string
}

// Inspect reads the manifest of a package, and nothing of what follows.
//
// Errors: those of Unpack.
func Inspect(ctx context.Context, r io.Reader) (Unpacked, error) {
	var found Unpacked
	err := archive.Read(ctx, r, archive.DefaultLimits, func(entry archive.Entry, content io.Reader) error {
		text, err := readManifest(entry, content)
		if err == nil {
			found, err = parse(text)
		}
		if err == nil {
			err = archive.ErrStop
		}
		return err
	})
	if err == nil && found.Manifest == nil {
		err = noManifest("it has no files")
	}
	return found, err
}

// Unpack unpacks a package into a folder that there is, and that is empty. It returns when all is on the disk. Where it
// fails, the caller removes the folder; nothing has been written elsewhere, whatever the package says.
//
// Errors: *archive.EntryError, *archive.LimitError, *archive.FormatError, *manifest.Error, *ContentError, those of
// reading and writing and of ctx.
func Unpack(ctx context.Context, r io.Reader, folder string, limits archive.Limits) (Unpacked, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return Unpacked{}, err
	}
	defer root.Close()
	u := unpacking{root: root, missing: map[string]manifest.Content{}}
	if err := archive.Read(ctx, r, limits, u.entry); err != nil {
		return Unpacked{}, err
	}
	if u.found.Manifest == nil {
		return Unpacked{}, noManifest("it has no files")
	}
	for name := range u.missing {
		return Unpacked{}, &ContentError{name, "the manifest names it, but the package does not have it"}
	}
	return u.found, u.sync(folder)
}

// unpacking is a package that is being unpacked.
type unpacking struct {
	root    *os.Root
	found   Unpacked
	missing map[string]manifest.Content // files that have not come yet
	folders []string
}

func (u *unpacking) entry(entry archive.Entry, content io.Reader) error {
	if u.found.Manifest == nil {
		return u.first(entry, content)
	}
	expected, ok := u.missing[entry.Name]
	if !ok {
		return &archive.EntryError{Name: entry.Name, Reason: "the manifest does not name it"}
	}
	delete(u.missing, entry.Name)
	if entry.Size != expected.Size {
		return &ContentError{entry.Name, fmt.Sprintf("it has %d bytes, but the manifest says %d", entry.Size, expected.Size)}
	}
	if err := u.makeFolders(path.Dir(entry.Name)); err != nil {
		return err
	}
	found, err := u.write(entry.Name, expected.Executable, content)
	if err == nil && found != expected.SHA256 {
		err = &ContentError{entry.Name, fmt.Sprintf("it has SHA-256 %s, but the manifest says %s", found, expected.SHA256)}
	}
	return err
}

// first takes the manifest.
func (u *unpacking) first(entry archive.Entry, content io.Reader) error {
	text, err := readManifest(entry, content)
	if err != nil {
		return err
	}
	if u.found, err = parse(text); err != nil {
		return err
	}
	for name, expected := range u.found.Manifest.Package.Contents {
		u.missing[name] = expected
	}
	file, err := u.root.OpenFile(manifest.File, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Sync(), file.Close())
}

func (u *unpacking) makeFolders(folder string) error {
	if folder == "." {
		return nil
	}
	if _, err := u.root.Stat(folder); err == nil {
		return nil
	}
	if err := u.makeFolders(path.Dir(folder)); err != nil {
		return err
	}
	u.folders = append(u.folders, folder)
	return u.root.Mkdir(folder, 0o755)
}

// write writes a file, and tells its SHA-256.
func (u *unpacking) write(name string, executable bool, content io.Reader) (string, error) {
	mode := os.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	file, err := u.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(file, hash), content)
	return hex.EncodeToString(hash.Sum(nil)), errors.Join(err, file.Sync(), file.Close())
}

// sync returns when the names of all files are on the disk.
func (u *unpacking) sync(folder string) error {
	for _, below := range append(u.folders, ".") {
		if err := durable.SyncDir(filepath.Join(folder, filepath.FromSlash(below))); err != nil {
			return err
		}
	}
	return nil
}

func readManifest(entry archive.Entry, content io.Reader) ([]byte, error) {
	switch {
	case entry.Name != manifest.File:
		return nil, noManifest(fmt.Sprintf("its first file is %q", entry.Name))
	case entry.Size > manifest.MaxBytes:
		return nil, noManifest(fmt.Sprintf("it has %d bytes, more than %d", entry.Size, manifest.MaxBytes))
	}
	return io.ReadAll(content)
}

func noManifest(reason string) error {
	return &manifest.Error{File: manifest.File, Err: fmt.Errorf(
		"a package begins with it, as `penstock plugin pack` makes one: %s", reason)}
}

func parse(text []byte) (Unpacked, error) {
	m, err := manifest.Parse(text, manifest.File, false)
	if err == nil && m.Package == nil {
		err = &manifest.Error{File: manifest.File, Field: "package", Err: errors.New(
			"is missing: `penstock plugin pack` makes packages of folders")}
	}
	digest := sha256.Sum256(text)
	return Unpacked{Manifest: m, SHA256: hex.EncodeToString(digest[:])}, err
}
