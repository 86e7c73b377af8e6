package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/distribution/archive"
	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/durable"
	"github.com/penstock-db/penstock/internal/regular"
)

// Made is a package that was made.
type Made struct {
	Path     string `json:"path"`
	Platform string `json:"platform"`
	SHA256   string `json:"sha256"`
	Bytes    int64  `json:"bytes"`
}

// Pack makes the packages of a plugin, whose manifest and files lie in folder, in the folder out: one for each of these
// platforms. m is the manifest, of which all platforms' programs must be there.
//
// Errors: *manifest.Error, *archive.EntryError, *ContentError, those of reading and writing.
func Pack(folder, out string, m *manifest.Manifest, platforms []string) ([]Made, error) {
	version, err := m.Semantic()
	if err != nil {
		return nil, &manifest.Error{File: filepath.Join(folder, manifest.File), Field: "version", Err: err}
	}
	whole, err := withDigests(folder, m)
	if err != nil {
		return nil, err
	}
	var all []Made
	for _, platform := range platforms {
		name := fmt.Sprintf("%s_%s_%s%s", m.Name, version, strings.ReplaceAll(platform, "/", "_"), Suffix)
		made, err := packOne(folder, filepath.Join(out, name), whole, platform)
		if err != nil {
			return nil, err
		}
		all = append(all, made)
	}
	return all, nil
}

// withDigests is the manifest with the SHA-256 of all programs.
func withDigests(folder string, m *manifest.Manifest) (*manifest.Manifest, error) {
	whole := *m
	whole.Format, whole.Package, whole.Platforms = manifest.Format, nil, map[string]manifest.Program{}
	for platform, program := range m.Platforms {
		content, err := contentOf(folder, program.File)
		if err != nil {
			return nil, fmt.Errorf("the program for %s: %w", platform, err)
		}
		if program.SHA256 != "" && !strings.EqualFold(program.SHA256, content.SHA256) {
			return nil, &ContentError{program.File, fmt.Sprintf("it has SHA-256 %s, but the manifest says %s", content.SHA256,
				program.SHA256)}
		}
		program.SHA256 = content.SHA256
		whole.Platforms[platform] = program
	}
	return &whole, nil
}

func packOne(folder, path string, whole *manifest.Manifest, platform string) (Made, error) {
	m := *whole
	contents, err := contentsFor(folder, &m, platform)
	if err != nil {
		return Made{}, err
	}
	m.Package = &manifest.Package{Platform: platform, Contents: contents}
	text, err := m.Text()
	if err != nil {
		return Made{}, err
	}
	if _, err := manifest.Parse(text, manifest.File, true); err != nil { // what is packed can be unpacked
		return Made{}, err
	}
	first := archive.File{Name: manifest.File, Size: int64(len(text)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }}
	var files []archive.File
	for name, content := range contents {
		files = append(files, archive.File{Name: name, Size: content.Size, Executable: content.Executable,
			Open: func() (io.ReadCloser, error) { return regular.OpenIn(folder, name) }})
	}
	return write(path, platform, func(w io.Writer) error { return archive.Write(w, first, files) })
}

// write writes a package beside its place, and puts it there when it is whole.
func write(path, platform string, content func(io.Writer) error) (Made, error) {
	file, err := os.CreateTemp(filepath.Dir(path), ".pack-*")
	if err != nil {
		return Made{}, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	hash, size := sha256.New(), counter(0)
	err = content(io.MultiWriter(file, hash, &size))
	if err == nil {
		err = file.Chmod(0o644)
	}
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err == nil {
		err = durable.SyncDir(filepath.Dir(path))
	}
	return Made{Path: path, Platform: platform, SHA256: hex.EncodeToString(hash.Sum(nil)), Bytes: int64(size)}, err
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// contentsFor are the files of a platform's package, but for the manifest.
func contentsFor(folder string, m *manifest.Manifest, platform string) (map[string]manifest.Content, error) {
	program := m.Platforms[platform]
	names := map[string]bool{program.File: true}
	for _, pattern := range slices.Concat(m.Include, program.Include) {
		if err := include(names, folder, pattern); err != nil {
			return nil, err
		}
	}
	for other, p := range m.Platforms { // a pattern may match all programs
		if other != platform && p.File != program.File {
			delete(names, p.File)
		}
	}
	delete(names, manifest.File)
	delete(names, manifest.JSONFile)
	contents, all := map[string]manifest.Content{}, int64(0)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		content, err := contentOf(folder, name)
		if err != nil {
			return nil, err
		}
		content.Executable = content.Executable || name == program.File
		contents[name] = content
		if all += content.Size; all > archive.DefaultLimits.Bytes {
			return nil, fmt.Errorf("the package for %s: %w", platform,
				&archive.LimitError{What: "bytes, unpacked", Limit: archive.DefaultLimits.Bytes})
		}
	}
	return contents, nil
}

// include adds the files that a pattern names, and those below folders that it names.
func include(names map[string]bool, folder, pattern string) error {
	matches, err := fs.Glob(os.DirFS(folder), pattern)
	if err != nil {
		return err
	}
	if len(matches) == 0 {
		return &manifest.Error{File: filepath.Join(folder, manifest.File), Field: "include",
			Err: fmt.Errorf("%q: there is no such file", pattern)}
	}
	for _, match := range matches {
		err := fs.WalkDir(os.DirFS(folder), match, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				names[name] = true
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// openOwn opens a file that belongs to a plugin: one that a link leads to elsewhere does not, such as somebody's keys.
func openOwn(folder, name string) (*os.File, error) {
	file, err := regular.OpenIn(folder, name)
	if other := (*regular.Error)(nil); errors.As(err, &other) {
		return nil, &ContentError{name, "it is no file"}
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	if _, there := os.Stat(path); err != nil && there == nil && !errors.Is(err, fs.ErrPermission) {
		return nil, &ContentError{name, "it leads out of the plugin's folder: copy what it links to"}
	}
	return file, err
}

// contentOf reads a file.
func contentOf(folder, name string) (manifest.Content, error) {
	if err := archive.CheckName(name); err != nil {
		return manifest.Content{}, err
	}
	file, err := openOwn(folder, name)
	if err != nil {
		return manifest.Content{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return manifest.Content{}, err
	}
	if info.Size() > archive.DefaultLimits.Bytes {
		return manifest.Content{}, fmt.Errorf("%s: %w", name,
			&archive.LimitError{What: "bytes", Limit: archive.DefaultLimits.Bytes})
	}
	hash := sha256.New()
	size, err := io.Copy(hash, file)
	return manifest.Content{Size: size, SHA256: hex.EncodeToString(hash.Sum(nil)), Executable: info.Mode()&0o100 != 0}, err
}
