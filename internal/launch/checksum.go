package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/regular"
)

// ChecksumError is a plugin file that is not the one that was installed.
type ChecksumError struct {
	File            string
	Expected, Found string // SHA-256 in hex
	Packaged        bool   // it is from a package, which says what it must be
}

func (e *ChecksumError) Error() string {
	if e.Packaged {
		return fmt.Sprintf("%s has SHA-256 %s, but %s was in its package: it has been changed since. Install the package again, with --replace",
			e.File, e.Found, e.Expected)
	}
	return fmt.Sprintf("%s has SHA-256 %s, but %s was installed: it has been changed since. "+
		"Install it again from a source you trust, or, if the change is yours, accept it with `penstock plugin lock`",
		e.File, e.Found, e.Expected)
}

// Digest is the SHA-256 of a file, in hex. It takes about 1 s per GB.
func Digest(path string) (string, error) {
	f, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("hashing %s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// identified is the spec with the digest of its file, once that is the expected one if
// any is. go-plugin's own check (SecureConfig) does the same, but not for processes that
// a runner starts. Of this program itself the digest comes later, see selfDigest.
func (s Spec) identified() (Spec, error) {
	for _, library := range s.Libraries {
		if err := library.Verify(); err != nil {
			return s, fmt.Errorf("a library that it loads: %w", err)
		}
	}
	if s.self {
		return s, nil
	}
	if s.Package != "" {
		return s, s.VerifyPackage()
	}
	if s.SHA256 != "" {
		return s, File{s.Path, s.SHA256}.Verify()
	}
	var err error
	s.SHA256, err = Digest(s.Path)
	return s, err
}

// VerifyPackage compares the files of the package that it was installed from with their checksums.
func (s Spec) VerifyPackage() error {
	for _, file := range append(slices.Clone(s.Contents), File{s.Path, s.SHA256}) {
		err := file.Verify()
		if changed := (*ChecksumError)(nil); errors.As(err, &changed) {
			changed.Packaged = true
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Verify compares the file with its checksum.
func (f File) Verify() error {
	found, err := Digest(f.Path)
	if err == nil && !strings.EqualFold(found, f.SHA256) {
		err = &ChecksumError{File: f.Path, Expected: f.SHA256, Found: found}
	}
	return err
}

// Compare orders files by their paths.
func (f File) Compare(other File) int { return strings.Compare(f.Path, other.Path) }
