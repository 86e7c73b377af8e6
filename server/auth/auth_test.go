package auth

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cheap is a hash that tests need not wait for.
func cheap(password string) Hash {
	h := Hash{memory: 8, time: 1, threads: 1, salt: []byte("salt of a test")}
	h.key = h.derive(password, keySize)
	return h
}

func TestUsers_Authenticate(t *testing.T) {
	users := NewUsers()
	if err := errors.Join(users.Set("ann", cheap("sesame")), users.Set("bob", cheap(""))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		scheme, name, password string
		in                     bool
	}{
		{"basic", "ann", "sesame", true},
		{"basic", "ann", "Sesame", false},
		{"basic", "ann", "", false},
		{"basic", "bob", "", true},
		{"basic", "eve", "", false}, // the decoy's password
		{"none", "", "", false},
		{"kerberos", "ann", "sesame", false},
	} {
		if err := users.Authenticate(t.Context(), c.scheme, c.name, c.password); (err == nil) != c.in {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestHashOf_DiffersAndMatches(t *testing.T) {
	a, b := HashOf("sesame"), HashOf("sesame")
	if a.String() == b.String() || !a.matches("sesame") || a.matches("sesam") {
		t.Fatal(a, b)
	}
	again, err := ParseHash(a.String())
	if err != nil || !again.matches("sesame") {
		t.Fatal(again, err)
	}
}

// TestHash_KnownAnswer is what the reference implementation of Argon2 gives for
// echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1 -l 32
func TestHash_KnownAnswer(t *testing.T) {
	h := Hash{memory: 65536, time: 2, threads: 1, salt: []byte("somesalt")}
	h.key = h.derive("password", 32)
	if got := h.String(); got != "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc" {
		t.Fatal(got)
	}
}

func TestUsers_FileKeepsNoPassword(t *testing.T) {
	file := File(t.TempDir())
	users := NewUsers()
	if err := errors.Join(users.Set("ann", cheap("sesame")), users.Set("bob", cheap("x")), users.Write(file)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(text), "sesame") {
		t.Fatal(string(text), err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info.Mode(), err)
	}
	again, err := Read(file)
	if err != nil || again.Authenticate(t.Context(), "basic", "ann", "sesame") != nil {
		t.Fatal(err)
	}
	if !again.Remove("ann") || again.Remove("ann") || again.Authenticate(t.Context(), "basic", "ann", "sesame") == nil {
		t.Fatal("ann is still there")
	}
}

func TestRead_Bad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "users")
	for _, line := range []string{"ann", "ann:sesame", "a b:" + cheap("x").String(), "ann:$argon2id$v=19$m=1,t=0,p=0$AA$AA", "ann:$argon2id$v=19$m=9999999999,t=1,p=1$c2FsdHNhbHQ$c2FsdHNhbHRzYWx0c2FsdA"} {
		if err := os.WriteFile(file, []byte("\n"+line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(file); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", line, err)
		}
	}
	if users, err := Read(file + "-none"); err != nil || len(users.Names()) != 0 {
		t.Error(users, err)
	}
}
