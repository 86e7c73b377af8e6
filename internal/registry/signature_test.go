package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/distribution/trust"
	"github.com/penstock-db/penstock/internal/launch"
)

func newSecret(t *testing.T) sign.Secret {
	t.Helper()
	secret, err := sign.NewSecret()
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

// believing is a registry that trusts a key with every plugin.
func believing(t *testing.T, secret sign.Secret) *Registry {
	t.Helper()
	r := fresh(t)
	if err := r.Keyring().Trust(trust.Signer{Name: "us", Key: secret.Key(), Tier: trust.Private}); err != nil {
		t.Fatal(err)
	}
	return r
}

func signedBy(t *testing.T, secret sign.Secret, path string) string {
	t.Helper()
	if _, err := SignPackage(path, secret); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestInstall_Signed(t *testing.T) {
	secret := newSecret(t)
	r := believing(t, secret)
	path := signedBy(t, secret, packaged(t, "1.2.0", 2, nil))
	if v, err := r.Keyring().VerifyPackage(path, nil); err != nil || v.Signer.Name != "us" || v.Manifest.Name != "turbine" {
		t.Errorf("%+v, %v", v, err)
	}
	p, err := r.Install(t.Context(), path, InstallOptions{})
	if err != nil || p.Signer != secret.Key().String() {
		t.Fatal(p, err)
	}
	if standing, err := r.Standing("turbine"); err != nil || standing.Tier != trust.Private || standing.Signer.Name != "us" {
		t.Error(standing, err)
	}
	if _, err := r.Resolve("turbine"); err != nil {
		t.Error(err)
	}
	if err := r.Verify(); err != nil {
		t.Error(err)
	}
	t.Setenv(trust.Variable, "core")
	forbidden := new(trust.TierError)
	if _, err := r.Resolve("turbine"); !errors.As(err, &forbidden) || forbidden.Tier != trust.Private {
		t.Error(err)
	}
	t.Setenv(trust.Variable, "")
	if err := r.Keyring().Distrust("us"); err != nil {
		t.Fatal(err)
	}
	untrusted := new(UntrustedError)
	if _, err := r.Resolve("turbine"); !errors.As(err, &untrusted) {
		t.Error(err)
	}
	if err := r.Verify(); !errors.As(err, &untrusted) {
		t.Error(err)
	}
	if health, err := r.Doctor(t.Context(), "turbine"); err != nil || len(health) != 1 || !errors.As(health[0].Err, &untrusted) {
		t.Error(health, err)
	}
	theirs := new(NotTheirsError)
	err = r.Keyring().Trust(trust.Signer{Name: "us", Key: secret.Key(), Tier: trust.Community, Plugins: []string{"wheel"}})
	if _, failed := r.Resolve("turbine"); err != nil || !errors.As(failed, &theirs) {
		t.Error(err, failed)
	}
}

// Whoever can write to a package on its way cannot have it installed.
func TestInstall_SignatureIsRefused(t *testing.T) {
	us, others := newSecret(t), newSecret(t)
	rewrite := func(path string, edit func([]byte) []byte) {
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, edit(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		spoil func(path string)
		fails any
	}{
		"no signature":      {func(path string) { os.Remove(path + sign.Suffix) }, new(*UnsignedError)},
		"an empty one":      {func(path string) { os.Truncate(path+sign.Suffix, 0) }, new(*sign.FormatError)},
		"a huge one":        {func(path string) { os.Truncate(path+sign.Suffix, 1<<40) }, new(*sign.FormatError)},
		"a changed package": {func(path string) { rewrite(path, func(b []byte) []byte { b[len(b)/2] ^= 1; return b }) }, new(*sign.ForgedError)},
		"a longer package":  {func(path string) { rewrite(path, func(b []byte) []byte { return append(b, 0) }) }, new(*sign.ForgedError)},
		"a changed comment": {func(path string) {
			rewrite(path+sign.Suffix, func(b []byte) []byte { return bytes.Replace(b, []byte("file:turbine"), []byte("file:Turbine"), 1) })
		}, new(*sign.ForgedError)},
		"another signer": {func(path string) { signedBy(t, others, path) }, new(*UntrustedError)},
		"a comment of another manifest": {func(path string) {
			text, _ := os.ReadFile(path)
			signature, err := us.Sign(bytes.NewReader(text), "manifest:"+strings.Repeat("0a", 32))
			if err != nil {
				t.Fatal(err)
			}
			os.WriteFile(path+sign.Suffix, signature.Text(), 0o600)
		}, new(*sign.ForgedError)},
		"another's package": {func(path string) {
			text, _ := os.ReadFile(signedBy(t, us, packaged(t, "1.3.0", 0, nil)) + sign.Suffix)
			os.WriteFile(path+sign.Suffix, text, 0o600)
		}, new(*sign.ForgedError)},
	} {
		r := believing(t, us)
		path := signedBy(t, us, packaged(t, "1.2.0", 0, nil))
		c.spoil(path)
		if _, err := r.Install(t.Context(), path, InstallOptions{}); !errors.As(err, c.fails) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := r.Keyring().VerifyPackage(path, nil); err == nil {
			t.Errorf("%s: it is verified", name)
		}
		if left := entries(t, r); left != ".lock "+TrustFile {
			t.Errorf("%s: there are %s", name, left)
		}
		// who trusts the file itself may do without a signature, but not with a wrong one
		_, unsignedFails := c.fails.(**sign.ForgedError)
		if _, malformed := c.fails.(**sign.FormatError); malformed {
			unsignedFails = true
		}
		if _, err := r.Install(t.Context(), path, unsigned); (err != nil) != unsignedFails {
			t.Errorf("%s, unsigned: %v", name, err)
		}
	}
}

// A plugin's signer does not change by itself.
func TestInstall_SignerChanges(t *testing.T) {
	us, others := newSecret(t), newSecret(t)
	for _, next := range []func() string{
		func() string { return packaged(t, "1.3.0", 0, nil) },
		func() string { return signedBy(t, others, packaged(t, "1.3.0", 0, nil)) },
	} {
		r := believing(t, us)
		if err := r.Keyring().Trust(trust.Signer{Name: "others", Key: others.Key(), Tier: trust.Private}); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Install(t.Context(), signedBy(t, us, packaged(t, "1.2.0", 0, nil)), InstallOptions{}); err != nil {
			t.Fatal(err)
		}
		path, changed := next(), new(SignerChangedError)
		if _, err := r.Install(t.Context(), path, unsigned); !errors.As(err, &changed) || changed.Was != "key "+us.Key().ID() {
			t.Error(err)
		}
		opts := unsigned
		opts.Replace = true
		if _, err := r.Install(t.Context(), path, opts); err != nil {
			t.Error(err)
		}
	}
}

// forge has the lock file say something else of the plugin.
func forge(t *testing.T, r *Registry, edit func(*Locked, *File)) {
	t.Helper()
	lock, err := r.readLock()
	if err != nil {
		t.Fatal(err)
	}
	locked := lock.Plugins["turbine"]
	file := locked.Platforms[Platform]
	edit(&locked, &file)
	locked.Platforms[Platform] = file
	lock.Plugins["turbine"] = locked
	text, _ := json.Marshal(lock)
	if err := os.WriteFile(r.lockPath(), text, 0o600); err != nil {
		t.Fatal(err)
	}
	r.last.lock = nil
}

// Whoever has changed a program, the manifest and the lock file has not signed them.
func TestResolve_ForgedLock(t *testing.T) {
	for name, ofMinisign := range map[string]bool{"a comment with the manifest": false, "a comment of minisign's": true} {
		t.Run(name, func(t *testing.T) {
			us := newSecret(t)
			r := believing(t, us)
			path := packaged(t, "1.2.0", 0, nil)
			if ofMinisign {
				file, err := os.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer file.Close()
				signature, err := us.Sign(file, "timestamp:1", "file:x", "hashed")
				if err != nil {
					t.Fatal(err)
				}
				os.WriteFile(path+sign.Suffix, signature.Text(), 0o600)
			} else {
				signedBy(t, us, path)
			}
			p, err := r.Install(t.Context(), path, InstallOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if spec, err := r.Resolve("turbine"); err != nil || spec.VerifyPackage() != nil {
				t.Fatal(err)
			}
			// the program, the manifest and the lock file agree with each other
			folder := filepath.Dir(filepath.Dir(p.Path))
			os.WriteFile(p.Path, []byte("another program"), 0o700)
			program, _ := launch.Digest(p.Path)
			manifestFile := filepath.Join(folder, "plugin.yaml")
			text, _ := os.ReadFile(manifestFile)
			text = bytes.ReplaceAll(text, []byte(p.SHA256), []byte(program))
			text = bytes.ReplaceAll(text, []byte(fmt.Sprint("size: ", len("the program of 1.2.0"))), []byte(fmt.Sprint("size: ", len("another program"))))
			os.WriteFile(manifestFile, text, 0o600)
			manifest, _ := launch.Digest(manifestFile)
			forge(t, r, func(_ *Locked, f *File) { f.SHA256, f.Manifest = program, manifest })
			if _, err := r.Resolve("turbine"); err == nil {
				t.Error("it would start")
			}
			if err := r.Verify(); err == nil {
				t.Error("it is verified")
			}
			// with somebody else's signature
			others := newSecret(t)
			kept := filepath.Join(folder, "..", packageFile)
			signedBy(t, others, kept)
			elsewhere := new(sign.OtherKeyError)
			if _, err := r.Resolve("turbine"); !errors.As(err, &elsewhere) {
				t.Error(err)
			}
			forge(t, r, func(l *Locked, _ *File) { l.Signer = others.Key().String() })
			untrusted := new(UntrustedError)
			if _, err := r.Resolve("turbine"); !errors.As(err, &untrusted) {
				t.Error(err)
			}
			os.Remove(kept + sign.Suffix)
			forge(t, r, func(l *Locked, _ *File) { l.Signer = us.Key().String() })
			if _, err := r.Resolve("turbine"); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "install it again") {
				t.Error(err)
			}
		})
	}
}

// A store of signers that is not understood trusts nobody.
func TestResolve_DamagedTrust(t *testing.T) {
	us := newSecret(t)
	r := believing(t, us)
	if _, err := r.Install(t.Context(), signedBy(t, us, packaged(t, "1.2.0", 0, nil)), InstallOptions{}); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(r.Dir(), TrustFile), []byte(`{"version":2}`), 0o600)
	wrong := new(ManifestError)
	if _, err := r.Resolve("turbine"); !errors.As(err, &wrong) || wrong.Field != "version" {
		t.Error(err)
	}
}
