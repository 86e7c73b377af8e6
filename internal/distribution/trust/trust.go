// Package trust keeps whose signatures an operator believes, and of which plugins.
//
//	signer: a name, a public key, a tier, the plugins that the key may sign
//
//	core       those who make Penstock: any plugin; theirs alone are called penstock-…
//	private    the operator's own house: any other plugin
//	community  anybody else: only the plugins that are named when the signer is added
//	unsigned   nobody: what was installed by its path, or by --allow-unsigned
//
// A name of a plugin is worth something by this: who has been trusted with "turbine" can sign no other plugin that a user
// already has.
package trust

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/distribution/sign"
)

// Tier is how a signer stands to the operator.
type Tier string

// The tiers.
const (
	Core      Tier = "core"
	Private   Tier = "private"
	Community Tier = "community"
	Unsigned  Tier = "unsigned"
)

// reservedPrefix begins the names of plugins that only those sign who make Penstock.
const reservedPrefix = "penstock-"

// Signer is somebody whose signatures are believed.
type Signer struct {
	Name    string   `json:"name"`
	Key     sign.Key `json:"key"`
	Tier    Tier     `json:"tier"`
	Plugins []string `json:"plugins,omitempty"` // names, or patterns of them (path.Match); none: all
}

var validName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$`)

// Check fails with a *SignerError where this is no signer.
func (s Signer) Check() error {
	wrong := func(format string, args ...any) error {
		return &SignerError{s.Name, fmt.Sprintf(format, args...)}
	}
	switch {
	case !validName.MatchString(s.Name):
		return wrong("a name has letters, digits and \"._@+-\", at most 64")
	case s.Tier != Core && s.Tier != Private && s.Tier != Community:
		return wrong("tier %q is not known: it is core, private or community", s.Tier)
	case s.Key.Equal(sign.Key{}):
		return wrong("it has no key")
	case s.Tier == Community && len(s.Plugins) == 0:
		return wrong("a community signer may sign only plugins that are named: which?")
	}
	for _, pattern := range s.Plugins {
		if _, err := path.Match(pattern, ""); err != nil || manifest.CheckName(strings.NewReplacer("*", "x", "?", "x").Replace(pattern)) != nil {
			return wrong("%q is no name of plugins, nor a pattern of names such as acme-*", pattern)
		}
	}
	return nil
}

// SignerError is a signer that cannot be trusted as it is given.
type SignerError struct{ Name, Reason string }

func (e *SignerError) Error() string { return fmt.Sprintf("signer %q: %s", e.Name, e.Reason) }

// MaySign tells whether the signer may sign plugins of this name.
func (s Signer) MaySign(plugin string) bool {
	if strings.HasPrefix(plugin, reservedPrefix) && s.Tier != Core {
		return false
	}
	return len(s.Plugins) == 0 || slices.ContainsFunc(s.Plugins, func(pattern string) bool {
		matches, err := path.Match(pattern, plugin)
		return err == nil && matches
	})
}

// storeVersion of the file. 1: the first.
const storeVersion = 1

// Store is who is trusted.
type Store struct {
	Version int      `json:"version"`
	Signers []Signer `json:"signers"`
}

// maxBytes is how long the file may be.
const maxBytes = 1 << 20

// Read reads the store in a file; none is an empty one.
//
// Errors: *manifest.Error, those of reading.
func Read(file string) (*Store, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return &Store{Version: storeVersion}, nil
	}
	if err == nil && info.Size() > maxBytes {
		err = &manifest.Error{File: file, Err: fmt.Errorf("it has %d bytes, more than %d", info.Size(), maxBytes)}
	}
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parse(text, file)
}

func parse(text []byte, file string) (*Store, error) {
	s := &Store{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields() // a rule that is not understood must not be passed over
	if err := decoder.Decode(s); err != nil {
		return nil, &manifest.Error{File: file, Err: err}
	}
	if s.Version != storeVersion {
		return nil, &manifest.Error{File: file, Field: "version",
			Err: fmt.Errorf("%d is not known; this program reads version %d", s.Version, storeVersion)}
	}
	known := Store{Version: storeVersion}
	for _, signer := range s.Signers {
		if err := known.Add(signer); err != nil {
			return nil, &manifest.Error{File: file, Field: "signers", Err: err}
		}
	}
	return s, nil
}

// Text is that of the store's file.
func (s *Store) Text() ([]byte, error) {
	text, err := json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}

// Add trusts another signer. Its name and its key's ID must be new.
func (s *Store) Add(signer Signer) error {
	if err := signer.Check(); err != nil {
		return err
	}
	for _, other := range s.Signers {
		if other.Name == signer.Name {
			return &SignerError{signer.Name, "there is one of that name already: remove it first"}
		}
		if other.Key.ID() == signer.Key.ID() {
			return &SignerError{signer.Name, fmt.Sprintf("key %s is that of %q already", signer.Key.ID(), other.Name)}
		}
	}
	s.Signers = append(s.Signers, signer)
	return nil
}

// Remove trusts a signer no more.
func (s *Store) Remove(name string) error {
	for i, signer := range s.Signers {
		if signer.Name == name {
			s.Signers = slices.Delete(s.Signers, i, i+1)
			return nil
		}
	}
	return &SignerError{name, "nobody of that name is trusted"}
}

// ByID finds the signer whose key has this ID.
func (s *Store) ByID(id string) (Signer, bool) {
	return s.find(func(other Signer) bool { return other.Key.ID() == id })
}

// ByKey finds the signer with this key.
func (s *Store) ByKey(key sign.Key) (Signer, bool) {
	return s.find(func(other Signer) bool { return other.Key.Equal(key) })
}

func (s *Store) find(is func(Signer) bool) (Signer, bool) {
	if i := slices.IndexFunc(s.Signers, is); i >= 0 {
		return s.Signers[i], true
	}
	return Signer{}, false
}
