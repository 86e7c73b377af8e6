package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
)

// ChecksumError is a plugin file that is not the one that was installed.
type ChecksumError struct {
	File            string
	Expected, Found string // SHA-256 in hex
}

func (e *ChecksumError) Error() string {
	return fmt.Sprintf("%s has SHA-256 %s, but %s was installed: it has been changed since. "+
		"Install it again from a source you trust, or, if the change is yours, accept it with `penstock plugin lock`",
		e.File, e.Found, e.Expected)
}

// Digest is the SHA-256 of a file, in hex. It takes about 1 s per GB.
func Digest(path string) (string, error) {
	f, err := os.Open(path)
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

// verify compares the file with the digest that is expected of it, if any. go-plugin's
// own check (SecureConfig) does the same, but not for processes that a runner starts.
func (s Spec) verify() error {
	if s.SHA256 == "" {
		return nil
	}
	found, err := Digest(s.Path)
	if err != nil {
		return err
	}
	if !strings.EqualFold(found, s.SHA256) {
		return &ChecksumError{File: s.Path, Expected: s.SHA256, Found: found}
	}
	return nil
}

// Digest of the program that spec names, computed only when it is not known yet.
func (s Spec) Digest() (string, error) {
	switch {
	case s.SHA256 != "":
		return s.SHA256, nil
	case s.self:
		return selfDigest()
	}
	return Digest(s.Path)
}
