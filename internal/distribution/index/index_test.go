package index

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/distribution/pack"
	"github.com/penstock-db/penstock/internal/distribution/sign"
)

const platform = "plan9/mips"

// packages makes a folder of packages, given as NAME@VERSION; what comes after a space makes it another.
func packages(t *testing.T, all ...string) string {
	t.Helper()
	out := t.TempDir()
	for _, one := range all {
		name, version, _ := strings.Cut(one, "@")
		version, _, _ = strings.Cut(version, " ")
		dir := t.TempDir()
		err := os.WriteFile(filepath.Join(dir, "prog"), []byte(one), 0o600)
		m := &manifest.Manifest{Name: name, Version: version, Kind: manifest.KindDevice, Summary: "the " + one,
			Platforms: map[string]manifest.Program{platform: {File: "prog"}}}
		if err == nil {
			_, err = pack.Pack(dir, out, m, []string{platform})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func newSecret(t *testing.T) sign.Secret {
	t.Helper()
	secret, err := sign.NewSecret()
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func TestMake(t *testing.T) {
	secret, folder := newSecret(t), packages(t, "turbine@1.2.0", "turbine@1.10.0", "turbine@2.0.0-rc.1", "wheel@0.1.0")
	ix, err := Make(t.Context(), folder, secret, Edition{Revoke: []Revocation{{Plugin: "wheel", Reason: "it squeaks"}}})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Make(t.Context(), folder, secret, Edition{Revoke: []Revocation{{Plugin: "wheel", Reason: "it squeaks"}}})
	if err != nil || ix.Serial != 1 || again.Serial != 2 || len(again.Revoked) != 1 {
		t.Errorf("%+v, %v", again, err)
	}
	text, err := os.ReadFile(filepath.Join(folder, File))
	if err != nil {
		t.Fatal(err)
	}
	read, err := Parse(text, File)
	if err != nil || len(read.Plugins["turbine"].Versions) != 3 || read.Plugins["turbine"].Newest() != "2.0.0-rc.1" ||
		read.Plugins["turbine"].Summary != "the turbine@2.0.0-rc.1" {
		t.Errorf("%+v, %v", read, err)
	}
	signed, _ := os.ReadFile(filepath.Join(folder, File+sign.Suffix))
	s, err := sign.ParseSignature(signed)
	if err != nil || s.VerifyBytes(secret.Key(), text) != nil || s.Field(SerialField) != "2" {
		t.Error(s.Comment(), err)
	}
	// other bytes under the same version
	path := filepath.Join(folder, "wheel_0.1.0_plan9_mips.tar.zst")
	os.Remove(path)
	if none, err := Make(t.Context(), folder, secret, Edition{}); err != nil || none.Serial != 3 {
		t.Error(err) // what is gone has not changed
	}
	changed := new(ChangedError)
	path = filepath.Join(folder, "turbine_1.2.0_plan9_mips.tar.zst")
	os.Rename(filepath.Join(packages(t, "turbine@1.2.0 again"), filepath.Base(path)), path)
	if _, err := Make(t.Context(), folder, secret, Edition{}); !errors.As(err, &changed) || changed.Plugin != "turbine 1.2.0" {
		t.Error(err)
	}
	if still, err := readPrevious(t.Context(), folder, secret.Key()); err != nil || still.Serial != 3 {
		t.Errorf("it was listed all the same: %v", err)
	}
	if _, err := Make(t.Context(), folder, secret, Edition{Changed: true}); err != nil {
		t.Error(err)
	}
	os.Rename(filepath.Join(packages(t, "wheel@0.1.0"), "wheel_0.1.0_plan9_mips.tar.zst"),
		filepath.Join(folder, "wheel_0.1.0_plan9_mips.tar.zst"))
	// one version twice
	os.Rename(filepath.Join(folder, "wheel_0.1.0_plan9_mips.tar.zst"), filepath.Join(folder, "a.tar.zst"))
	made := packages(t, "wheel@0.1.0")
	os.Rename(filepath.Join(made, "wheel_0.1.0_plan9_mips.tar.zst"), filepath.Join(folder, "b.tar.zst"))
	twice := new(TwiceError)
	if _, err := Make(t.Context(), folder, secret, Edition{}); !errors.As(err, &twice) || twice.One != "a.tar.zst" {
		t.Error(err)
	}
}

// What is revoked, and the serial, are taken over from an index that its maker has signed, from nothing else.
func TestMake_FollowsWhatIsSigned(t *testing.T) {
	secret, other := newSecret(t), newSecret(t)
	wheel, turbine := Revocation{Plugin: "wheel"}, Revocation{Plugin: "turbine"}
	folder := packages(t, "wheel@0.1.0")
	path := filepath.Join(folder, File)
	read := func(name string) []byte {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	var indexes, signatures [2][]byte
	for i, r := range []Revocation{wheel, turbine} {
		if _, err := Make(t.Context(), folder, secret, Edition{Revoke: []Revocation{r}}); err != nil {
			t.Fatal(err)
		}
		indexes[i], signatures[i] = read(path), read(path+sign.Suffix)
	}
	tampered := []byte(strings.Replace(string(indexes[1]), `"wheel"`, `"whole"`, 1))
	foreign, err := other.Sign(strings.NewReader(string(indexes[1])), "serial:2")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		index, signature []byte // nil: there is none
		by               sign.Secret
		previous         []sign.Key
		serial           int64 // 0: it is refused
		revoked          int
	}{
		"as it was":                        {indexes[1], signatures[1], secret, nil, 3, 2},
		"signed by an earlier key":         {indexes[1], signatures[1], other, []sign.Key{secret.Key()}, 3, 2},
		"killed between the two":           {indexes[0], signatures[1], secret, nil, 2, 1},
		"killed between the first two":     {nil, signatures[0], secret, nil, 1, 0},
		"another key, not named":           {indexes[1], signatures[1], other, nil, 0, 0},
		"another key signs":                {indexes[1], foreign.Text(), secret, nil, 0, 0},
		"fewer are revoked":                {tampered, signatures[1], secret, nil, 0, 0},
		"fewer, by the key named":          {tampered, signatures[1], other, []sign.Key{secret.Key()}, 0, 0},
		"the signature is of the one then": {indexes[1], signatures[0], secret, nil, 0, 0},
		"no signature":                     {indexes[1], nil, secret, nil, 0, 0},
		"no text of a signature":           {indexes[1], []byte("signed"), secret, nil, 0, 0},
		"no index":                         {nil, signatures[1], secret, nil, 0, 0},
		"nothing":                          {nil, nil, secret, nil, 1, 0},
	} {
		for file, text := range map[string][]byte{path: c.index, path + sign.Suffix: c.signature} {
			if os.Remove(file); text != nil {
				if err := os.WriteFile(file, text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		ix, err := Make(t.Context(), folder, c.by, Edition{Previous: c.previous})
		unproven := new(UnprovenError)
		switch {
		case c.serial != 0 && (err != nil || ix.Serial != c.serial || len(ix.Revoked) != c.revoked):
			t.Errorf("%s: %+v, %v", name, ix, err)
		case c.serial == 0 && (!errors.As(err, &unproven) || unproven.File != path):
			t.Errorf("%s: %+v, %v", name, ix, err)
		}
		if c.serial == 0 && c.index != nil && string(read(path)) != string(c.index) {
			t.Errorf("%s: it was overwritten", name)
		}
	}
}

func TestChoose(t *testing.T) {
	ix, err := Make(t.Context(), packages(t, "turbine@1.2.0", "turbine@1.10.0", "turbine@2.0.0-rc.1", "turbine@2.1.0"), newSecret(t), Edition{})
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(versions ...string) func(string, Version) error {
		return func(version string, _ Version) error {
			for _, v := range versions {
				if v == version {
					return errors.New(v + " is refused")
				}
			}
			return nil
		}
	}
	for _, c := range []struct{ want, refused, found string }{
		{"turbine", "", "2.1.0"}, {"turbine@^1.2", "", "1.10.0"}, {"turbine@~1.2", "", "1.2.0"}, {"turbine@1.2.0", "", "1.2.0"},
		{"turbine@^1.2", "1.10.0", "1.2.0"}, {"turbine@>=1.3 <2.1", "", "1.10.0"}, {"turbine@>=2.0.0-0 <2.1", "", "2.0.0-rc.1"},
		{"turbine@^3", "", ""}, {"wheel", "", ""}, {"turbine@2.1.0", "2.1.0", ""},
	} {
		want, err := ParseWant(c.want)
		if err != nil {
			t.Fatal(err)
		}
		found, err := ix.Choose(want, platform, refuse(c.refused))
		none := new(NoneError)
		if found.Version != c.found || (err == nil) != (c.found != "") || err != nil && !errors.As(err, &none) {
			t.Errorf("%s: %+v, %v", c.want, found, err)
		}
	}
	if _, err := ix.Choose(Want{Name: "turbine"}, "linux/amd64", refuse()); err == nil || !strings.Contains(err.Error(), "1.2.0 is not for linux/amd64") {
		t.Error(err)
	}
	for _, text := range []string{"", "a b", "../x", "turbine@newest", "turbine@^1.2@3"} {
		if want, err := ParseWant(text); err == nil {
			t.Errorf("%q is %v", text, want)
		}
	}
}

func TestRevocation(t *testing.T) {
	key := newSecret(t).Key().String()
	for _, c := range []struct {
		r    Revocation
		v    string
		hits bool
	}{
		{Revocation{Plugin: "turbine"}, "1.2.0", true},
		{Revocation{Plugin: "wheel"}, "1.2.0", false},
		{Revocation{Plugin: "turbine", Versions: "<1.2.1"}, "1.2.0", true},
		{Revocation{Plugin: "turbine", Versions: "<1.2.1"}, "1.2.1-rc.1", true},
		{Revocation{Plugin: "turbine", Versions: "<1.2.1"}, "1.2.1", false},
		{Revocation{Plugin: "turbine", Versions: "<1.2.1"}, "of old", true},
		{Revocation{Key: key}, "1.2.0", true},
		{Revocation{Key: newSecret(t).Key().String()}, "1.2.0", false},
	} {
		if err := c.r.Check(); err != nil || c.r.Hits("turbine", c.v, key) != c.hits {
			t.Errorf("%+v, %s: %v, not %v", c.r, c.v, err, c.hits)
		}
	}
	for _, r := range []Revocation{{}, {Key: key, Plugin: "turbine"}, {Key: key, Versions: "1"}, {Key: "RW"}, {Plugin: "../x"}, {Plugin: "x", Reason: "\x1b[2J"},
		{Plugin: "turbine", Versions: "old ones"}} {
		if r.Check() == nil {
			t.Errorf("%+v", r)
		}
	}
}

func TestSource(t *testing.T) {
	folder := t.TempDir()
	os.WriteFile(filepath.Join(folder, File), []byte("12345"), 0o600)
	os.Symlink("/etc/passwd", filepath.Join(folder, "link"))
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer server.Close()
	for _, location := range []string{folder, server.URL, server.URL + "/"} {
		s, err := At(location)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := s.ReadAll(t.Context(), File, 5); err != nil || string(text) != "12345" {
			t.Errorf("%s: %q, %v", location, text, err)
		}
		if _, err := s.ReadAll(t.Context(), File, 4); err == nil {
			t.Errorf("%s: more than was asked for", location)
		}
		if _, err := s.ReadAll(t.Context(), "nothing", 4); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	s, _ := At(folder)
	for _, name := range []string{"link", "../x"} {
		if text, err := s.ReadAll(t.Context(), name, 1<<20); err == nil {
			t.Errorf("%s leads out: %q", name, text)
		}
	}
	for _, location := range []string{"ftp://example.org", "http://", "https://example.org?x=1", "https://me:secret@example.org"} {
		if s, err := At(location); err == nil {
			t.Errorf("%s is %s", location, s.Location)
		}
	}
}

// A server does not lead from a safe connection to an unsafe one.
func TestSource_Redirects(t *testing.T) {
	plain := httptest.NewServer(http.FileServer(http.Dir(t.TempDir())))
	defer plain.Close()
	safe := httptest.NewTLSServer(http.RedirectHandler(plain.URL+"/"+File, http.StatusFound))
	defer safe.Close()
	before := client.Transport
	client.Transport = safe.Client().Transport
	defer func() { client.Transport = before }()
	s, err := At(safe.URL)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReadAll(t.Context(), File, 5); err == nil || !strings.Contains(err.Error(), "not encrypted") {
		t.Error(err)
	}
}

// A server that stops in the middle, and says so or says nothing any more, is no reason to wait for ever.
func TestSource_EndsEarly(t *testing.T) {
	for says, end := range map[string]func(*http.Request){
		"sent nothing for 20ms":      func(r *http.Request) { <-r.Context().Done() },
		"ends early: unexpected EOF": func(*http.Request) { panic(http.ErrAbortHandler) },
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "5")
			fmt.Fprint(w, "12")
			_ = http.NewResponseController(w).Flush()
			end(r)
		}))
		answer, err := get(t.Context(), server.URL, 20*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(answer); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q, %v", says, text, err)
		}
		answer.Close()
		server.Close()
	}
}

// Nor is one that sends a byte now and then.
func TestSource_Drips(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			fmt.Fprint(w, "1")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(2 * time.Millisecond)
		}
	}))
	defer server.Close()
	answer, err := get(t.Context(), server.URL, time.Second/4)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Close()
	if text, err := io.ReadAll(answer); err == nil || !strings.Contains(err.Error(), server.URL) ||
		!strings.Contains(err.Error(), "too slow to wait for") {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func FuzzParse(f *testing.F) {
	digest := strings.Repeat("0a", 32)
	f.Add(fmt.Appendf(nil, `{"index":1,"serial":3,"made":"2026-01-02T03:04:05Z","plugins":{"turbine":{"versions":{"1.2.0":{"protocol":{"min":1,"max":1},"platforms":{"linux/amd64":{"file":"x.tar.zst","sha256":"%s","bytes":9}}}}}},"revoked":[{"plugin":"x","versions":"<1"}]}`, digest))
	f.Add([]byte(`{"index":1,"serial":1,"plugins":{"..":{}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		ix, err := Parse(text, File)
		if err != nil {
			if _, typed := errors.AsType[*manifest.Error](err); !typed {
				t.Error(err)
			}
			return
		}
		for name, p := range ix.Plugins {
			found, err := ix.Choose(Want{Name: name}, "linux/amd64", func(string, Version) error { return nil })
			if err == nil && (!filepath.IsLocal(found.Package.File) || p.Newest() == "") {
				t.Errorf("%+v", found)
			}
		}
		for _, r := range ix.Revoked {
			r.Hits("turbine", "1.2.0", "")
		}
	})
}
