// Package manifest reads what the maker of a plugin says of it: plugin.yaml, or plugin.json, which has the same fields.
//
//	manifest: 1
//	name: turbine
//	version: 1.2.0
//	protocol: {min: 1, max: 1}
//	platforms:
//	  linux/amd64: {file: build/turbine-amd64}
//	  linux/arm64: {file: build/turbine-arm64}
//	include: [LICENSE]
//	permissions: {hardware: [nvidia]}
//
// The one in a package has been written by `penstock plugin pack`, with the SHA-256 of everything: see Package.
package manifest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/Masterminds/semver/v3"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/handshake"
	"github.com/penstock-db/penstock/internal/regular"
)

// The names of a manifest in a plugin's folder.
const (
	File     = "plugin.yaml"
	JSONFile = "plugin.json"
)

// KindDevice is the only kind of plugin so far.
const KindDevice = "device"

// Format is the version of manifests. 1: the first. Fields that may be ignored do not raise it.
const Format = 1

// MaxBytes is how long a manifest may be: one in a package lists its files.
const MaxBytes = 8 << 20

// Manifest is what the maker of a plugin says of it.
type Manifest struct {
	Format      int                `json:"manifest,omitempty"` // 0: 1
	Name        string             `json:"name"`
	Version     string             `json:"version"`
	Kind        string             `json:"kind,omitempty"` // empty: KindDevice
	Summary     string             `json:"summary,omitempty"`
	Homepage    string             `json:"homepage,omitempty"`
	License     string             `json:"license,omitempty"`
	Protocol    Protocol           `json:"protocol"`
	Platforms   map[string]Program `json:"platforms"` // "linux/amd64" …
	Permissions confine.Grants     `json:"permissions,omitzero"`
	// Algorithms are those that it brings along, as the plugin describes them: a package has them of the program.
	Algorithms []algorithms.Definition `json:"algorithms,omitempty"`
	Include    []string                `json:"include,omitempty"` // files beside the programs, by pattern (filepath.Glob)
	Package    *Package                `json:"package,omitempty"` // in a package alone
}

// Protocol is the range of contract versions that a plugin speaks.
type Protocol struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// Program is the one for a platform.
type Program struct {
	File    string   `json:"file"`              // below the plugin's folder
	SHA256  string   `json:"sha256,omitempty"`  // always there in a package
	Include []string `json:"include,omitempty"` // files that this platform has besides, by pattern
}

// Package is what is in a package: all for one platform.
type Package struct {
	Platform string             `json:"platform"`
	Contents map[string]Content `json:"contents"` // all files but the manifest itself, by name
}

// Content is that of a file.
type Content struct {
	Size       int64  `json:"size"`
	SHA256     string `json:"sha256"`
	Executable bool   `json:"executable,omitempty"`
}

// Error is a manifest that does not say what it must.
type Error struct {
	File  string
	Field string // empty: the whole file
	Err   error
}

func (e *Error) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s: field %q: %v", e.File, e.Field, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// ReadFolder reads the manifest in a folder.
//
// Errors: *Error, *ProtocolError, those of reading.
func ReadFolder(folder string) (*Manifest, error) {
	text, path, err := readEither(folder)
	if err != nil {
		return nil, err
	}
	return Parse(text, path, false)
}

// ReadSource is ReadFolder for whoever makes the plugin: fields that this program does not know are errors too.
func ReadSource(folder string) (*Manifest, error) {
	text, path, err := readEither(folder)
	if err != nil {
		return nil, err
	}
	return Parse(text, path, true)
}

func readEither(folder string) (text []byte, path string, err error) {
	path = filepath.Join(folder, File)
	text, err = readBounded(path)
	if errors.Is(err, os.ErrNotExist) {
		path = filepath.Join(folder, JSONFile)
		text, err = readBounded(path)
	}
	if errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf("there is neither a %s nor a %s in %s: %w", File, JSONFile, folder, os.ErrNotExist)
	}
	return text, path, err
}

func readBounded(path string) ([]byte, error) {
	text, err := regular.Read(path, MaxBytes)
	if limit := (*regular.LimitError)(nil); errors.As(err, &limit) {
		err = &Error{File: path, Err: fmt.Errorf("it has more than %d bytes", MaxBytes)}
	}
	return text, err
}

var (
	validName     = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	validPlatform = regexp.MustCompile(`^[a-z0-9]{1,20}/[a-z0-9]{1,20}$`)
)

// CheckName fails unless a plugin may be called so.
func CheckName(name string) error {
	if !validName.MatchString(name) {
		return fmt.Errorf("%q is no plugin name: use lower-case letters, digits, '.', '_' and '-'", name)
	}
	return nil
}

// Semantic is the version, where it is a semantic one, as packages have.
func (m *Manifest) Semantic() (*semver.Version, error) {
	v, err := semver.StrictNewVersion(m.Version)
	if err != nil {
		return nil, fmt.Errorf("%q is no semantic version, such as 1.2.0 (semver.org): %w", m.Version, err)
	}
	return v, nil
}

// Speaks fails with a *ProtocolError where this program and the plugin have no version of the contract in common.
func (m *Manifest) Speaks() error {
	if m.Protocol.Min > handshake.ProtocolMax || m.Protocol.Max < handshake.ProtocolMin {
		return &ProtocolError{Plugin: m.Name, Version: m.Version, Protocol: m.Protocol}
	}
	return nil
}

// ProtocolError is a plugin that speaks no version of the contract that this program does.
type ProtocolError struct {
	Plugin, Version string
	Protocol        Protocol
}

func (e *ProtocolError) Error() string {
	other := "a newer version of the plugin"
	if e.Protocol.Min > handshake.ProtocolMax {
		other = "an older version of the plugin, or a newer one of this program"
	}
	return fmt.Sprintf("plugin %s %s speaks protocol %d to %d, but this program speaks %d to %d: use %s", e.Plugin, e.Version,
		e.Protocol.Min, e.Protocol.Max, handshake.ProtocolMin, handshake.ProtocolMax, other)
}
