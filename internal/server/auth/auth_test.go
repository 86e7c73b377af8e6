package auth

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// cheap is a hash that tests need not wait for.
func cheap(password string) Hash {
	h := Hash{memory: 8, time: 1, threads: 1, salt: []byte("salt of a test")}
	h.key = h.derive(password, keySize)
	return h
}

// guard knows these users, with a clock that only moves when it is told, or waited for.
func guard(t *testing.T, users Users) (*Guard, *clock) {
	t.Helper()
	d, err := OpenDirectory(File(t.TempDir()), users)
	if err != nil {
		t.Fatal(err)
	}
	c := &clock{now: time.Unix(1_000_000, 0)}
	throttle := NewThrottle()
	throttle.now, throttle.wait = func() time.Time { return c.now }, func(_ context.Context, d time.Duration) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.waited = append(c.waited, d)
		return nil
	}
	g := NewGuard(d, throttle, LoginRequired)
	g.decoy = cheap("")
	return g, c
}

type clock struct {
	now    time.Time
	mu     sync.Mutex // for waited
	waited []time.Duration
}

var here, there = netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")

func TestGuard_Authenticate(t *testing.T) {
	g, _ := guard(t, Users{"ann": {Hash: cheap("sesame")}, "bob": {Hash: cheap("")}})
	for i, c := range []struct {
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
		from := netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
		if _, err := g.Authenticate(t.Context(), from, c.scheme, c.name, c.password); (err == nil) != c.in {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// An open guard closes with the first user, and never opens again.
func TestGuard_Open(t *testing.T) {
	d, err := OpenDirectory(File(t.TempDir()), nil)
	if err != nil {
		t.Fatal(err)
	}
	g := NewGuard(d, NewThrottle(), LoginRequiredIfUsers)
	in := func() bool { _, err := g.Authenticate(t.Context(), here, "none", "", ""); return err == nil }
	if !in() {
		t.Error("without users nobody is let in")
	}
	add := func(users Users) error { return users.Add("ann", User{Hash: cheap("x")}) }
	remove := func(users Users) error { delete(users, "ann"); return nil }
	if err := d.Change(add); err != nil || in() {
		t.Error("with a user no login is required: ", err)
	}
	if err := d.Change(remove); err != nil || in() {
		t.Error("the last user is gone, and no login is required: ", err)
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
	users := Users{"ann": {Hash: cheap("sesame")}, "bob": {Hash: cheap("x"), Expired: true}}
	odd := User{Hash: cheap("y")}
	for _, g := range []Grant{{Writer, "odd: @,* name"}, {Reader, ""}, {Reader, "air"}, {Writer, "*"}} {
		odd = odd.Granted(g)
	}
	users["odd"] = odd
	if err := users.Write(file); err != nil {
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
	if err != nil || !reflect.DeepEqual(again, users) {
		t.Fatalf("%v, not %v: %v", again, users, err)
	}
}

// Lines of the time before there were roles have all rights, as they had.
func TestRead_WithoutRoles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(file, []byte("ann:"+cheap("x").String()+"\nbob:"+cheap("x").String()+":\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	users, err := Read(file)
	if err != nil || !users["ann"].IsAdmin() || users["bob"].Grants != nil {
		t.Fatal(users, err)
	}
}

func TestRead_Bad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "users")
	hash := cheap("x").String()
	for _, line := range []string{"ann", "ann:sesame", "a b:" + hash, "ann:$argon2id$v=19$m=1,t=0,p=0$AA$AA",
		"ann:$argon2id$v=19$m=9999999999,t=1,p=1$c2FsdHNhbHQ$c2FsdHNhbHRzYWx0c2FsdA",
		"ann:" + hash + ":king", "ann:" + hash + ":reader@", "ann:" + hash + ":reader@%zz", "ann:" + hash + ":admin@air",
		"ann:" + hash + ":reader:x", "ann:" + hash + ":reader:change-password:x"} {
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

// FuzzRead: what can be read can be written and read again, and is the same.
func FuzzRead(f *testing.F) {
	hash := cheap("x").String()
	f.Add("ann:" + hash)
	f.Add("ann:" + hash + ":reader,writer@a+b%2C:change-password\nbob:" + hash + ":")
	f.Fuzz(func(t *testing.T, text string) {
		users, err := parse(strings.NewReader(text), "users")
		if err != nil {
			return
		}
		var lines strings.Builder
		for _, name := range users.Names() {
			lines.WriteString(users[name].line(name) + "\n")
		}
		again, err := parse(strings.NewReader(lines.String()), "users")
		if err != nil || !reflect.DeepEqual(again, users) {
			t.Fatalf("%q became %q: %v", text, lines.String(), err)
		}
	})
}

func TestUser_Roles(t *testing.T) {
	u := User{}.Granted(Grant{Reader, ""}).Granted(Grant{Writer, "air"}).Granted(Grant{Reader, ""})
	if u.RoleOn("air") != Writer || u.RoleOn("sea") != Reader || !u.SeesAll() || u.IsAdmin() || len(u.Grants) != 2 {
		t.Error(u.Grants)
	}
	if _, err := u.Revoked(Grant{Reader, "sea"}); err == nil {
		t.Error("a role on all graphs was taken on one")
	}
	less, err := u.Revoked(Grant{Reader, ""})
	if err != nil || less.RoleOn("sea") != 0 || less.SeesAll() || less.RoleOn("air") != Writer || len(u.Grants) != 2 {
		t.Error(less.Grants, u.Grants, err)
	}
	if none, err := less.Revoked(Grant{Writer, ""}); err != nil || len(none.Grants) != 0 {
		t.Error("a role on one graph outlives its end on all: ", none.Grants, err)
	}
}

// What another process writes counts at once; while a file cannot be read, no client can log in.
func TestDirectory_SeesChanges(t *testing.T) {
	file := File(t.TempDir())
	d, err := OpenDirectory(file, Users{"flag": {Hash: cheap("x")}})
	if err != nil {
		t.Fatal(err)
	}
	if err := (Users{"ann": {Hash: cheap("x")}, "bob": {Hash: cheap("x")}}).Write(file); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Find("ann"); err != nil {
		t.Error(err)
	}
	if err := d.Change(func(users Users) error { delete(users, "ann"); return nil }, "ann"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Find("ann"); !errors.As(err, new(*UnknownUserError)) {
		t.Error(err)
	}
	if err := d.Change(func(Users) error { return nil }, "flag"); !errors.As(err, new(*FixedUserError)) {
		t.Error(err)
	}
	if users, err := d.Users(); err != nil || !reflect.DeepEqual(users.Names(), []string{"bob", "flag"}) {
		t.Error(users, err)
	}
	if err := os.WriteFile(file, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := d.Find("bob"); err == nil || errors.As(err, new(*UnknownUserError)) {
			t.Error(err)
		}
	}
}
