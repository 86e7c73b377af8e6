package registry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/distribution/trust"
)

// project is a folder with an index of two versions, the older of which is installed and locked.
func project(t *testing.T, secret sign.Secret) (folder string, needs Needs) {
	t.Helper()
	folder = t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "site"), 0o700); err != nil {
		t.Fatal(err)
	}
	offered(t, secret, filepath.Join(folder, "site"), "1.2.0", "1.3.0")
	made(t, secret, filepath.Join(folder, "site"))
	r := believing(t, secret)
	if _, err := installFrom(t, r, filepath.Join(folder, "site"), "turbine@1.2.0", InstallOptions{}); err != nil {
		t.Fatal(err)
	}
	needs = NeedsOf(folder, r)
	if written, left, err := needs.Require(t.Context()); err != nil || !slices.Equal(written, []string{"turbine"}) || left != nil {
		t.Fatal(written, left, err)
	}
	return folder, needs
}

func TestProject_BringsTheSame(t *testing.T) {
	secret := newSecret(t)
	folder, _ := project(t, secret)
	p, err := ReadProject(filepath.Join(folder, ProjectFile))
	if err != nil || p.Plugins["turbine"].Index != "site" || p.Plugins["turbine"].Signer != secret.Key().String() {
		t.Fatalf("%+v, %v", p, err)
	}
	// another machine, with another version
	r := believing(t, secret)
	if _, err := installFrom(t, r, filepath.Join(folder, "site"), "turbine", InstallOptions{}); err != nil {
		t.Fatal(err)
	}
	needs := NeedsOf(folder, r)
	for i := range 2 {
		brought, err := needs.Bring(t.Context(), "", InstallOptions{})
		if err != nil || len(brought) != 1 || brought[0].Version != "1.2.0" || brought[0].New != (i == 0) {
			t.Fatalf("%+v, %v", brought, err)
		}
	}
	// which has a package of another name as well
	other := signedBy(t, secret, packaged(t, "1.0.0", 0, func(m *Manifest) { m.Name = "wheel" }))
	if err := needs.Only(); err != nil {
		t.Error(err)
	}
	if _, err := r.Install(t.Context(), other, InstallOptions{}); err != nil {
		t.Fatal(err)
	}
	extra := new(ExtraError)
	if err := needs.Only(); !errors.As(err, &extra) || extra.Plugins[0] != "wheel" {
		t.Error(err)
	}
	if written, left, err := needs.Require(t.Context()); err != nil || !slices.Equal(written, []string{"turbine"}) || !slices.Equal(left, []string{"wheel"}) {
		t.Error(written, left, err)
	}
}

// The file decides what is installed, whatever the index says by now; the operator decides whom to trust.
func TestProject_IsHeldTo(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, folder string, r *Registry, us, others sign.Secret)
		fails  any
	}{
		"another package, as well signed and indexed": {func(t *testing.T, folder string, _ *Registry, us, _ sign.Secret) {
			made := signedBy(t, us, packaged(t, "1.2.0", 3, nil))
			for _, suffix := range []string{"", sign.Suffix} {
				os.Rename(made+suffix, filepath.Join(folder, "site", filepath.Base(made)+suffix))
			}
		}, new(*NotIndexedError)},
		"another signer": {func(t *testing.T, folder string, r *Registry, us, others sign.Secret) {
			files, _ := filepath.Glob(filepath.Join(folder, "site", "*_1.2.0_*.tar.zst"))
			signedBy(t, others, files[0])
			if err := r.Keyring().Trust(trust.Signer{Name: "others", Key: others.Key(), Tier: trust.Private}); err != nil {
				t.Fatal(err)
			}
		}, new(*OtherSignerError)},
		"nobody is trusted": {func(t *testing.T, _ string, r *Registry, us, others sign.Secret) {
			if err := r.Keyring().Distrust("us"); err != nil {
				t.Fatal(err)
			}
		}, new(*UntrustedError)},
		"a forged digest": {func(t *testing.T, folder string, _ *Registry, _, _ sign.Secret) {
			path := filepath.Join(folder, ProjectFile)
			p, _ := ReadProject(path)
			here := p.Plugins["turbine"].Platforms[Platform]
			here.SHA256 = strings.Repeat("0a", 32)
			p.Plugins["turbine"].Platforms[Platform] = here
			if err := p.Write(path); err != nil {
				t.Fatal(err)
			}
		}, new(*NotIndexedError)},
		"another platform": {func(t *testing.T, folder string, _ *Registry, _, _ sign.Secret) {
			path := filepath.Join(folder, ProjectFile)
			p, _ := ReadProject(path)
			delete(p.Plugins["turbine"].Platforms, Platform)
			if err := p.Write(path); err != nil {
				t.Fatal(err)
			}
		}, new(*PlatformError)},
	} {
		us, others := newSecret(t), newSecret(t)
		folder, _ := project(t, us)
		r := believing(t, us)
		c.change(t, folder, r, us, others)
		if brought, err := NeedsOf(folder, r).Bring(t.Context(), "", InstallOptions{}); !errors.As(err, c.fails) || len(brought) > 0 {
			t.Errorf("%s: %+v, %v", name, brought, err)
		}
		if _, err := r.Info("turbine"); err == nil {
			t.Errorf("%s: it is installed", name)
		}
	}
}

// What is locked for others is what is installed, not what the index says by now.
func TestProject_IndexHasAnother(t *testing.T) {
	secret := newSecret(t)
	folder, needs := project(t, secret)
	other := signedBy(t, secret, packaged(t, "1.2.0", 3, nil))
	for _, suffix := range []string{"", sign.Suffix} {
		os.Rename(other+suffix, filepath.Join(folder, "site", filepath.Base(other)+suffix))
	}
	site, changed := filepath.Join(folder, "site"), new(index.ChangedError)
	if _, err := index.Make(t.Context(), site, secret, index.Edition{}); !errors.As(err, &changed) {
		t.Error(err)
	}
	if _, err := index.Make(t.Context(), site, secret, index.Edition{Changed: true}); err != nil {
		t.Fatal(err)
	}
	wrong := new(NotIndexedError)
	if _, _, err := needs.Require(t.Context()); !errors.As(err, &wrong) {
		t.Error(err)
	}
}

// A mirror has what the index has, under the same signatures.
func TestIndex_Mirror(t *testing.T) {
	secret := newSecret(t)
	folder, needs := project(t, secret)
	ix, err := needs.registry.Index(t.Context(), filepath.Join(folder, "site"))
	if err != nil {
		t.Fatal(err)
	}
	mirror := filepath.Join(folder, "mirror")
	if copied, err := ix.Mirror(t.Context(), mirror, index.Want{Name: "turbine", Versions: "~1.2"}); err != nil || len(copied) != 1 {
		t.Error(copied, err)
	}
	if copied, err := ix.Mirror(t.Context(), mirror); err != nil || len(copied) != 1 {
		t.Error(copied, err)
	}
	if left, _ := filepath.Glob(filepath.Join(mirror, unfinished+"*")); left != nil {
		t.Error(left)
	}
	none := new(index.NoneError)
	if _, err := ix.Mirror(t.Context(), mirror, index.Want{Name: "wheel"}); !errors.As(err, &none) {
		t.Error(err)
	}
	os.RemoveAll(filepath.Join(folder, "site"))
	r := believing(t, secret)
	brought, err := NeedsOf(folder, r).Bring(t.Context(), mirror, InstallOptions{})
	if err != nil || len(brought) != 1 || brought[0].Version != "1.2.0" || r.Verify() != nil {
		t.Error(brought, err)
	}
	if p, err := installFrom(t, r, mirror, "turbine", InstallOptions{}); err != nil || p.Version != "1.3.0" {
		t.Error(p, err)
	}
}

func TestPin(t *testing.T) {
	secret := newSecret(t)
	folder, needs := project(t, secret)
	r, site := needs.registry, filepath.Join(folder, "site")
	if pin, err := r.Pin(index.Want{Name: "turbine", Versions: "~1.2"}); err != nil || pin != "~1.2" {
		t.Fatal(pin, err)
	}
	if outdated, err := r.Outdated(t.Context(), ""); err != nil || len(outdated) != 0 {
		t.Error(outdated, err)
	}
	pinned, installed := new(PinnedError), new(InstalledError)
	if _, err := installFrom(t, r, site, "turbine@1.3.0", InstallOptions{Replace: true}); !errors.As(err, &pinned) {
		t.Error(err)
	}
	if _, err := installFrom(t, r, site, "turbine", InstallOptions{}); !errors.As(err, &installed) {
		t.Error(err)
	}
	offered(t, secret, site, "1.2.1")
	made(t, secret, site)
	if p, err := installFrom(t, r, site, "turbine", InstallOptions{}); err != nil || p.Version != "1.2.1" {
		t.Error(p, err)
	}
	if _, err := installFrom(t, r, site, "turbine@1.3.0", InstallOptions{}); !errors.As(err, &pinned) {
		t.Error(err)
	}
	if _, err := r.Pin(index.Want{Name: "turbine", Versions: "^2"}); !errors.As(err, &pinned) || !pinned.Installed {
		t.Error(err)
	}
	if pin, err := r.Pin(index.Want{Name: "turbine"}); err != nil || pin != "1.2.1" {
		t.Error(pin, err)
	}
	if err := r.Unpin("turbine"); err != nil {
		t.Fatal(err)
	}
	if p, err := installFrom(t, r, site, "turbine", InstallOptions{}); err != nil || p.Version != "1.3.0" {
		t.Error(p, err)
	}
}

func FuzzProject(f *testing.F) {
	f.Add(fmt.Appendf(nil, `{"version":1,"plugins":{"turbine":{"version":"1.2.0","index":"site","platforms":{"linux/amd64":{"file":"x.tar.zst","sha256":"%s","bytes":7}}}}}`, strings.Repeat("0a", 32)))
	f.Add([]byte(`{"version":1,"plugins":{"..":{}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := parseProject(text, ProjectFile)
		if err != nil {
			if _, typed := errors.AsType[*ManifestError](err); !typed {
				t.Error(err)
			}
			return
		}
		for _, required := range p.Plugins {
			for _, found := range required.Platforms {
				if !filepath.IsLocal(found.File) {
					t.Errorf("%+v", found)
				}
			}
		}
	})
}
