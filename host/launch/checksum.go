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

// identified is the spec with the digest of its file, once that is the expected one if
// any is. go-plugin's own check (SecureConfig) does the same, but not for processes that
// a runner starts. Of this program itself the digest comes later, see selfDigest.
func (s Spec) identified() (Spec, error) {
	if s.self {
		return s, nil
	}
	found, err := Digest(s.Path)
	if err != nil {
		return s, err
	}
	if s.SHA256 != "" && !strings.EqualFold(found, s.SHA256) {
		return s, &ChecksumError{File: s.Path, Expected: s.SHA256, Found: found}
	}
	s.SHA256 = found
	return s, nil
}
