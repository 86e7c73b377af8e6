package registry

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/penstock-db/penstock/internal/handshake"
)

// ManifestFile is the name of a manifest in a plugin's folder.
const ManifestFile = "plugin.json"

// KindDevice is the only kind of plugin so far.
const KindDevice = "device"

// Manifest is what the maker of a plugin says of it.
type Manifest struct {
	Name      string          `json:"name"`
	Version   string          `json:"version"`
	Kind      string          `json:"kind"`
	Protocol  Protocol        `json:"protocol"`
	Platforms map[string]File `json:"platforms"` // "linux/amd64" …
}

// Protocol is the range of contract versions that a plugin speaks.
type Protocol struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// File is a program for one platform.
type File struct {
	File   string `json:"file"` // in the plugin's folder
	SHA256 string `json:"sha256"`
}

// ReadManifest reads and checks a manifest. It fails with a *ManifestError naming the field.
func ReadManifest(path string) (*Manifest, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseManifest(text, path)
}

func parseManifest(text []byte, path string) (*Manifest, error) {
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, &ManifestError{File: path, Err: err}
	}
	return m, m.check(path)
}

var validName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

func (m *Manifest) check(path string) error {
	wrong := func(field, format string, args ...any) error {
		return &ManifestError{File: path, Field: field, Err: fmt.Errorf(format, args...)}
	}
	switch {
	case !validName.MatchString(m.Name):
		return wrong("name", "%q is no plugin name: use lower-case letters, digits, '.', '_' and '-'", m.Name)
	case reserved(m.Name):
		return wrong("name", "%q is built in", m.Name)
	case m.Version == "":
		return wrong("version", "is missing")
	case m.Kind != KindDevice:
		return wrong("kind", "%q is not known; expected %q", m.Kind, KindDevice)
	case m.Protocol.Min > handshake.ProtocolMax || m.Protocol.Max < handshake.ProtocolMin:
		return wrong("protocol", "%d to %d, but this program speaks %d to %d",
			m.Protocol.Min, m.Protocol.Max, handshake.ProtocolMin, handshake.ProtocolMax)
	case len(m.Platforms) == 0:
		return wrong("platforms", "is missing")
	}
	for platform, file := range m.Platforms {
		if err := file.check(); err != nil {
			return wrong("platforms/"+platform, "%w", err)
		}
	}
	return nil
}

// reserved names mean something else as --device, or as what is to be installed.
func reserved(name string) bool { return isBuiltIn(name) || name == NPU }

// isBuiltIn tells the names that are never of what is installed.
func isBuiltIn(name string) bool { return name == "cpu" || name == "auto" }

func (f File) check() error {
	if f.File != filepath.Base(f.File) || f.File == "." || f.File == ".." || f.File == ManifestFile {
		return fmt.Errorf("%q is not the name of a file in the plugin's folder", f.File)
	}
	return checkDigest(f.SHA256)
}

func checkDigest(text string) error {
	if digest, err := hex.DecodeString(text); err != nil || len(digest) != 32 {
		return errors.New("sha256 must be 64 hexadecimal digits")
	}
	return nil
}
