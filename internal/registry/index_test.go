package registry

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/distribution/trust"
)

// offered puts signed packages of these versions into a folder.
func offered(t *testing.T, secret sign.Secret, folder string, versions ...string) {
	t.Helper()
	for _, version := range versions {
		path := signedBy(t, secret, packaged(t, version, 0, nil))
		for _, suffix := range []string{"", sign.Suffix} {
			text, err := os.ReadFile(path + suffix)
			if err == nil {
				err = os.WriteFile(filepath.Join(folder, filepath.Base(path)+suffix), text, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func made(t *testing.T, secret sign.Secret, folder string, revoke ...index.Revocation) {
	t.Helper()
	if _, err := index.Make(t.Context(), folder, secret, index.Edition{Revoke: revoke}); err != nil {
		t.Fatal(err)
	}
}

func installFrom(t *testing.T, r *Registry, folder, what string, opts InstallOptions) (Plugin, error) {
	t.Helper()
	want, err := index.ParseWant(what)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := r.Index(t.Context(), folder)
	if err != nil {
		return Plugin{}, err
	}
	return ix.Install(t.Context(), want, opts)
}

func TestIndex_InstallAndUpgrade(t *testing.T) {
	secret, folder := newSecret(t), t.TempDir()
	r := believing(t, secret)
	offered(t, secret, folder, "1.2.0", "1.3.0", "2.0.0")
	made(t, secret, folder)
	p, err := installFrom(t, r, folder, "turbine@~1.2", InstallOptions{})
	if err != nil || p.Version != "1.2.0" || p.Source != folder+"/"+filepath.Base(p.Source) {
		t.Fatalf("%+v, %v", p, err)
	}
	if outdated, err := r.Outdated(t.Context(), ""); err != nil || len(outdated) != 1 || outdated[0].Newest != "2.0.0" || outdated[0].Index != folder {
		t.Errorf("%+v, %v", outdated, err)
	}
	if p, err = installFrom(t, r, folder, "turbine", InstallOptions{}); err != nil || p.Version != "2.0.0" {
		t.Errorf("%+v, %v", p, err)
	}
	if outdated, err := r.Outdated(t.Context(), ""); err != nil || len(outdated) != 0 {
		t.Errorf("%+v, %v", outdated, err)
	}
	older := new(DowngradeError)
	if _, err := installFrom(t, r, folder, "turbine@1.3.0", InstallOptions{}); !errors.As(err, &older) {
		t.Error(err)
	}
	// the index is gone
	os.RemoveAll(folder)
	if _, err := r.Resolve("turbine"); err != nil || r.Verify() != nil {
		t.Error(err, r.Verify())
	}
	if _, err := installFrom(t, r, folder, "turbine", InstallOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := r.Outdated(t.Context(), ""); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// Whoever holds what an index was yesterday cannot pass it for today's.
func TestIndex_OldOne(t *testing.T) {
	secret, folder := newSecret(t), t.TempDir()
	r := believing(t, secret)
	offered(t, secret, folder, "1.2.0")
	made(t, secret, folder)
	keep := func() (text, signed []byte) {
		text, _ = os.ReadFile(filepath.Join(folder, index.File))
		signed, _ = os.ReadFile(filepath.Join(folder, index.File+sign.Suffix))
		return text, signed
	}
	put := func(text, signed []byte) {
		os.WriteFile(filepath.Join(folder, index.File), text, 0o600)
		os.WriteFile(filepath.Join(folder, index.File+sign.Suffix), signed, 0o600)
	}
	text, signed := keep()
	made(t, secret, folder, index.Revocation{Plugin: "turbine", Versions: "1.2.0"})
	next, nextSigned := keep()
	if _, err := r.Index(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	put(text, signed)
	old := new(OldIndexError)
	if _, err := r.Index(t.Context(), folder); !errors.As(err, &old) || old.Seen != 2 || old.Found != 1 {
		t.Error(err)
	}
	made(t, secret, folder) // another with serial 2
	twice := new(TwoIndexesError)
	if _, err := r.Index(t.Context(), folder); !errors.As(err, &twice) {
		t.Error(err)
	}
	put(next, nextSigned)
	if _, err := r.Index(t.Context(), folder); err != nil {
		t.Error(err)
	}
	put(bytes.Replace(next, []byte(`"serial": 2`), []byte(`"serial": 9`), 1), nextSigned)
	forged := new(sign.ForgedError)
	if _, err := r.Index(t.Context(), folder); !errors.As(err, &forged) {
		t.Error(err)
	}
	put(next, nextSigned)
	ours := index.Edition{Previous: []sign.Key{secret.Key()}}
	if _, err := index.Make(t.Context(), folder, newSecret(t), ours); err != nil {
		t.Fatal(err)
	}
	untrusted := new(UntrustedError)
	if _, err := r.Index(t.Context(), folder); !errors.As(err, &untrusted) {
		t.Error(err)
	}
	os.Remove(filepath.Join(folder, index.File+sign.Suffix))
	if _, err := r.Index(t.Context(), folder); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestIndex_Revoked(t *testing.T) {
	for name, revocation := range map[string]func(sign.Secret) index.Revocation{
		"a version": func(sign.Secret) index.Revocation {
			return index.Revocation{Plugin: "turbine", Versions: "<1.3", Reason: "it leaks"}
		},
		"a signer": func(s sign.Secret) index.Revocation {
			return index.Revocation{Key: s.Key().String(), Reason: "it leaks"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			maker, house, folder := newSecret(t), newSecret(t), t.TempDir()
			r := believing(t, house)
			if err := r.Keyring().Trust(trust.Signer{Name: "maker", Key: maker.Key(), Tier: trust.Community, Plugins: []string{"turbine"}}); err != nil {
				t.Fatal(err)
			}
			offered(t, maker, folder, "1.2.0")
			made(t, house, folder)
			if _, err := installFrom(t, r, folder, "turbine", InstallOptions{}); err != nil {
				t.Fatal(err)
			}
			made(t, house, folder, revocation(maker))
			if _, err := r.Outdated(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			os.Rename(folder, folder+".gone") // what has been revoked stays so
			revoked := new(RevokedError)
			if _, err := r.Resolve("turbine"); !errors.As(err, &revoked) || revoked.By.Reason != "it leaks" {
				t.Error(err)
			}
			if health, err := r.Doctor(t.Context(), "turbine"); err != nil || !errors.As(health[0].Err, &revoked) {
				t.Error(health, err)
			}
			if err := r.Verify(); !errors.As(err, &revoked) {
				t.Error(err)
			}
			os.Rename(folder+".gone", folder)
			if err := r.Remove("turbine"); err != nil {
				t.Fatal(err)
			}
			if _, err := installFrom(t, r, folder, "turbine", InstallOptions{}); err == nil {
				t.Error("it is installed")
			}
			path, _ := filepath.Glob(filepath.Join(folder, "*.tar.zst"))
			if _, err := r.Install(t.Context(), path[0], InstallOptions{}); !errors.As(err, &revoked) {
				t.Error(err)
			}
		})
	}
}

// Somebody who shows the same index for ever is found out when it expires. What it revokes is believed all the same.
func TestIndex_Expired(t *testing.T) {
	secret, folder := newSecret(t), t.TempDir()
	r := believing(t, secret)
	offered(t, secret, folder, "1.2.0")
	made(t, secret, folder)
	if _, err := installFrom(t, r, folder, "turbine", InstallOptions{}); err != nil {
		t.Fatal(err)
	}
	ix, err := index.Make(t.Context(), folder, secret, index.Edition{Valid: time.Nanosecond,
		Revoke: []index.Revocation{{Plugin: "turbine", Versions: "1.2.0"}}})
	if err != nil || ix.Expired(ix.Made) || !ix.Expired(ix.Expires) {
		t.Fatalf("%+v, %v", ix, err)
	}
	expired, revoked := new(ExpiredIndexError), new(RevokedError)
	if _, err := r.Index(t.Context(), folder); !errors.As(err, &expired) ||
		!expired.Expired.Equal(ix.Expires) || expired.Location != folder {
		t.Error(err)
	}
	if _, err := r.Outdated(t.Context(), ""); !errors.As(err, &expired) {
		t.Error(err)
	}
	if _, err := r.Resolve("turbine"); !errors.As(err, &revoked) {
		t.Error(err)
	}
	var told []*ExpiredIndexError
	r.Expired = func(e *ExpiredIndexError) { told = append(told, e) }
	if _, err := r.Index(t.Context(), folder); err != nil || len(told) != 1 {
		t.Errorf("%v, %v", told, err)
	}
	ix.Expires = ix.Made
	wrong := new(manifest.Error)
	if err := ix.Write(folder, secret); !errors.As(err, &wrong) || wrong.Field != "expires" {
		t.Error(err)
	}
}

// A signer of some plugins cannot offer others, nor revoke them.
func TestIndex_OfSomePlugins(t *testing.T) {
	maker, other, folder := newSecret(t), newSecret(t), t.TempDir()
	r := fresh(t)
	if err := r.Keyring().Trust(trust.Signer{Name: "maker", Key: maker.Key(), Tier: trust.Community, Plugins: []string{"wheel"}}); err != nil {
		t.Fatal(err)
	}
	offered(t, maker, folder, "1.2.0")
	made(t, maker, folder, index.Revocation{Plugin: "turbine"}, index.Revocation{Plugin: "wheel"},
		index.Revocation{Key: other.Key().String()}, index.Revocation{Key: maker.Key().String()})
	ix, err := r.Index(t.Context(), folder)
	if err != nil || len(ix.Plugins) != 0 || len(ix.Revoked) != 2 || ix.Revoked[0].Plugin != "wheel" || ix.Revoked[1].Key != maker.Key().String() {
		t.Errorf("%+v, %v", ix, err)
	}
}

// Packages are fetched into the plugin directory, where the next change clears away what a process has left that was
// killed, and nothing that another is fetching.
func TestIndex_KilledWhileItFetches(t *testing.T) {
	secret, folder := newSecret(t), t.TempDir()
	r := believing(t, secret)
	offered(t, secret, folder, "1.2.0")
	made(t, secret, folder)
	long := time.Now().Add(-2 * forgotten)
	for _, name := range []string{"left", "slow", "new"} {
		file := filepath.Join(r.Dir(), downloading+name, "turbine.tar.zst")
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("half"), 0o600)); err != nil {
			t.Fatal(err)
		}
		if name != "new" {
			os.Chtimes(filepath.Dir(file), long, long)
		}
		if name == "left" {
			os.Chtimes(file, long, long)
		}
	}
	if _, err := installFrom(t, r, folder, "turbine", InstallOptions{}); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(r.Dir(), downloading+"*"))
	for i, path := range left {
		left[i] = strings.TrimPrefix(filepath.Base(path), downloading)
	}
	if !slices.Equal(left, []string{"new", "slow"}) {
		t.Errorf("there are %v", left)
	}
}

func TestIndex_PackageIsAnother(t *testing.T) {
	secret, folder := newSecret(t), t.TempDir()
	r := believing(t, secret)
	offered(t, secret, folder, "1.2.0")
	made(t, secret, folder)
	files, _ := filepath.Glob(filepath.Join(folder, "*.tar.zst"))
	// as well signed, but not the one of the index
	other := signedBy(t, secret, packaged(t, "1.2.0", 3, nil))
	for _, suffix := range []string{"", sign.Suffix} {
		text, _ := os.ReadFile(other + suffix)
		os.WriteFile(files[0]+suffix, text, 0o600)
	}
	wrong := new(NotIndexedError)
	if _, err := installFrom(t, r, folder, "turbine", InstallOptions{}); !errors.As(err, &wrong) {
		t.Error(err)
	}
	if _, err := index.Make(t.Context(), folder, secret, index.Edition{Changed: true}); err != nil {
		t.Fatal(err)
	}
	os.Remove(files[0] + sign.Suffix)
	refused := new(UnsignedError)
	if _, err := installFrom(t, r, folder, "turbine", InstallOptions{}); !errors.As(err, &refused) {
		t.Error(err)
	}
	if _, err := installFrom(t, r, folder, "turbine", unsigned); err != nil {
		t.Error(err)
	}
}

// Versions that this program cannot use are passed over.
func TestIndex_PassesOver(t *testing.T) {
	secret, folder := newSecret(t), t.TempDir()
	r := believing(t, secret)
	offered(t, secret, folder, "1.2.0")
	for _, edit := range []func(*Manifest){
		func(m *Manifest) { m.Version, m.Protocol = "1.3.0", manifest.Protocol{Min: 7, Max: 9} },
		func(m *Manifest) {
			m.Version, m.Platforms = "1.4.0", map[string]manifest.Program{"plan9/mips": m.Platforms[Platform]}
		},
	} {
		path := packaged(t, "1.2.0", 0, edit)
		os.Rename(path, filepath.Join(folder, filepath.Base(path)))
	}
	made(t, secret, folder)
	if p, err := installFrom(t, r, folder, "turbine", InstallOptions{}); err != nil || p.Version != "1.2.0" {
		t.Errorf("%+v, %v", p, err)
	}
	none := new(index.NoneError)
	if _, err := installFrom(t, r, folder, "turbine@>1.2", InstallOptions{}); !errors.As(err, &none) || len(none.Refused) != 3 {
		t.Error(err)
	}
}

func FuzzMemory(f *testing.F) {
	f.Add([]byte(`{"version":1,"indexes":{"/x":{"serial":1,"sha256":"00","revoked":[{"plugin":"turbine","versions":"<1"}]}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseMemory(text, seenFile)
		if err != nil {
			if _, typed := errors.AsType[*ManifestError](err); !typed {
				t.Error(err)
			}
			return
		}
		for _, s := range m.Indexes {
			for _, r := range s.Revoked {
				r.Hits("turbine", "1.2.0", "")
			}
		}
	})
}
