package sign

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/penstock-db/penstock/internal/long"
)

// The vectors that minisign's author gives with his implementation in Rust (minisign-verify), of a file with "test".
const (
	publishedKey       = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"
	publishedHashed    = "untrusted comment: signature from minisign secret key\nRUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=\ntrusted comment: timestamp:1556193335\tfile:test\ny/rUw2y8/hOUYjZU71eHp/Wo1KZ40fGy2VJEDl34XMJM+TX48Ss/17u3IvIfbVR1FkZZSNCisQbuQY+bHwhEBg==\n"
	publishedNotHashed = "untrusted comment: signature from minisign secret key\nRWQf6LRCGA9i59SLOFxz6NxvASXDJeRtuZykwQepbDEGt87ig1BNpWaVWuNrm73YiIiJbq71Wi+dP9eKL8OC351vwIasSSbXxwA=\ntrusted comment: timestamp:1555779966\tfile:test\nQtKMXWyYcwdpZAlPF7tE2ENJkRd1ujvKjlj1m9RtHTBnZPa5WKU5uWRs5GoP5M/VqE81QFuMKI5k/SfNQUaOAA==\n"
)

func TestVerify_Published(t *testing.T) {
	key, err := ParseKey(publishedKey)
	if err != nil || key.ID() != "E7620F1842B4E81F" || key.String() != publishedKey {
		t.Fatalf("%v, %v", key, err)
	}
	s, err := ParseSignature([]byte(publishedHashed))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(key, strings.NewReader("test")); err != nil || s.Field("file") != "test" || s.KeyID() != key.ID() {
		t.Errorf("%v, %q", err, s.Comment())
	}
	forged := new(ForgedError)
	if err := s.Verify(key, strings.NewReader("Test")); !errors.As(err, &forged) || forged.What != "file" {
		t.Error(err)
	}
	broken := errors.New("broken")
	if err := s.Verify(key, iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Error(err)
	}
	old := new(FormatError)
	if _, err := ParseSignature([]byte(publishedNotHashed)); !errors.As(err, &old) || !strings.Contains(err.Error(), "older kind") {
		t.Error(err)
	}
}

// testdata was made by minisign 0.11.
func TestVerify_Minisign(t *testing.T) {
	key, err := ParseKey(read(t, "minisign.pub"))
	if err != nil || string(key.File()) != read(t, "minisign.pub") {
		t.Fatal(err, string(key.File()))
	}
	s, err := ParseSignature([]byte(read(t, "message.txt.minisig")))
	if err == nil {
		err = s.Verify(key, strings.NewReader(read(t, "message.txt")))
	}
	if err != nil || s.Field("manifest") != "ab" || s.Field("nothing") != "" {
		t.Errorf("%v, %q", err, s.Comment())
	}
	secret, err := ParseSecret(read(t, "minisign.key"), "")
	if err != nil || !secret.Key().Equal(key) {
		t.Fatal(err)
	}
	// signatures are deterministic
	again, err := secret.Sign(strings.NewReader(read(t, "message.txt")), "timestamp:1764229000", "file:message.txt", "manifest:ab")
	if err != nil || !again.parsed.Equal(s.parsed) {
		t.Errorf("%v\n%s", err, again.Text())
	}
	if text, err := secret.File(""); err != nil || string(text) != read(t, "minisign.key") {
		t.Errorf("%v\n%s", err, text)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// minisign takes what this package writes, where it is installed.
func TestSign_ForMinisign(t *testing.T) {
	program, err := exec.LookPath("minisign")
	if err != nil {
		t.Skip("minisign is not installed")
	}
	dir := t.TempDir()
	secret, err := NewSecret()
	if err != nil {
		t.Fatal(err)
	}
	s, err := secret.Sign(strings.NewReader("a package"), "timestamp:1", "manifest:0a")
	if err != nil {
		t.Fatal(err)
	}
	private, err := secret.File("")
	for name, text := range map[string][]byte{"p": []byte("a package"), "p.minisig": s.Text(), "key.pub": secret.Key().File(), "key": private} {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-V", "-H", "-p", "key.pub", "-m", "p"}, {"-S", "-W", "-s", "key", "-m", "p"}} {
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil || args[0] == "-V" && !strings.Contains(string(out), "timestamp:1\tmanifest:0a") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	theirs, err := os.ReadFile(filepath.Join(dir, "p.minisig"))
	if err == nil {
		s, err = ParseSignature(theirs)
	}
	if err != nil || s.Verify(secret.Key(), strings.NewReader("a package")) != nil {
		t.Error(err)
	}
}

func TestVerify_RefusesForgeries(t *testing.T) {
	secret, _ := NewSecret()
	other, _ := NewSecret()
	s, err := secret.Sign(strings.NewReader("a package"), "manifest:0a")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.VerifyComment(secret.Key()); err != nil {
		t.Error(err)
	}
	elsewhere := new(OtherKeyError)
	if err := s.Verify(other.Key(), strings.NewReader("a package")); !errors.As(err, &elsewhere) {
		t.Error(err)
	}
	forged := new(ForgedError)
	changed, err := ParseSignature(bytes.Replace(s.Text(), []byte("manifest:0a"), []byte("manifest:0b"), 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := changed.VerifyComment(secret.Key()); !errors.As(err, &forged) || forged.What != "trusted comment" {
		t.Error(err)
	}
	if err := changed.Verify(secret.Key(), strings.NewReader("a package")); !errors.As(err, &forged) {
		t.Error(err)
	}
	// whose ID is that of the trusted one: an ID is no more than a name
	renamed, err := ParseSignature(bytes.Clone(s.Text()))
	renamed.parsed.KeyID, renamed.text = other.private.ID(), nil
	if text, failed := renamed.parsed.MarshalText(); err == nil && failed == nil {
		renamed, err = ParseSignature(text)
	}
	if err != nil || !errors.As(renamed.VerifyComment(other.Key()), &forged) {
		t.Error(err)
	}
	for _, comment := range []string{"file:a\nb", "\x1b[2J", "a\x00", "\u202e"} {
		if _, err := secret.Sign(strings.NewReader(""), comment); err == nil {
			t.Errorf("signed %q", comment)
		}
	}
}

// password.key is minisign.key under a password, with a cheap scrypt; minisign 0.11 signs by it.
func TestParseSecret_Password(t *testing.T) {
	key, _ := ParseKey(read(t, "minisign.pub"))
	if secret, err := ParseSecret(read(t, "password.key"), "open sesame"); err != nil || !secret.Key().Equal(key) {
		t.Error(err)
	}
	if _, err := ParseSecret(read(t, "password.key"), "open"); !errors.Is(err, ErrPassword) {
		t.Error(err)
	}
}

// Making a key under a password takes some seconds and 1 GiB, and three minutes with the race detector.
func TestSecret_Password(t *testing.T) {
	if !long.Tests() {
		t.Skip("scrypt takes seconds")
	}
	secret, _ := NewSecret()
	text, err := secret.File("open sesame")
	if err != nil || !IsEncrypted(string(text)) {
		t.Fatal(err)
	}
	if again, err := ParseSecret(string(text), "open sesame"); err != nil || !again.Key().Equal(secret.Key()) {
		t.Error(err)
	}
}

func TestParse_RefusesOthers(t *testing.T) {
	long := strings.Repeat("a", MaxBytes+1)
	for _, text := range []string{"", "\n\n\n", "abc", long, publishedHashed, "a comment\n" + publishedKey, publishedKey + "\nmore", publishedKey[:40]} {
		wrong := new(FormatError)
		if _, err := ParseKey(text); !errors.As(err, &wrong) {
			t.Errorf("%.60q is a key: %v", text, err)
		}
		if _, err := ParseSecret(text, ""); !errors.As(err, &wrong) {
			t.Errorf("%.60q is a secret key: %v", text, err)
		}
		if _, err := ParseSignature([]byte(strings.Replace(text, "trusted", "", 1))); !errors.As(err, &wrong) {
			t.Errorf("%.60q is a signature: %v", text, err)
		}
	}
}

func FuzzKey(f *testing.F) {
	f.Add(publishedKey)
	f.Add("untrusted comment: x\r\n" + publishedKey + "\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		key, err := ParseKey(text)
		if err != nil {
			if _, typed := errors.AsType[*FormatError](err); !typed {
				t.Error(err)
			}
			return
		}
		again, err := ParseKey(string(key.File()))
		if err != nil || !again.Equal(key) || len(key.ed25519()) != 32 {
			t.Errorf("%v, %v", again, err)
		}
	})
}

func FuzzSecret(f *testing.F) {
	f.Add("untrusted comment: x\nRWQAAEIyAAAA")
	secret, _ := NewSecret()
	text, _ := secret.File("")
	f.Add(string(text))
	f.Fuzz(func(t *testing.T, text string) {
		if IsEncrypted(text) {
			return // scrypt takes seconds
		}
		if secret, err := ParseSecret(text, ""); err == nil {
			if _, err := secret.Sign(strings.NewReader("x")); err != nil {
				t.Error(err)
			}
		}
	})
}

func FuzzSignature(f *testing.F) {
	f.Add([]byte(publishedHashed))
	f.Add([]byte(publishedNotHashed))
	key, _ := ParseKey(publishedKey)
	published, _ := ParseSignature([]byte(publishedHashed))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ParseSignature(text)
		if err != nil {
			return
		}
		if strings.ContainsAny(s.Comment(), "\n\r\x1b") {
			t.Errorf("comment %q", s.Comment())
		}
		err = s.Verify(key, io.LimitReader(strings.NewReader("test"), 4))
		if (err == nil) != s.parsed.Equal(published.parsed) {
			t.Errorf("%v of %q", err, text)
		}
	})
}
