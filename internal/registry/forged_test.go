package registry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/launch"
)

// What the lock file says of a package is what its manifest says, which is signed: whoever has changed the lock file
// has another program started by no line of it, nor one that is revoked, nor one under another's name.
func TestResolve_LockSaysOtherThanManifest(t *testing.T) {
	for name, change := range map[string]func(p Plugin, l *Locked, f *File){
		"the program": func(p Plugin, _ *Locked, f *File) {
			os.WriteFile(p.Path, []byte("another program"), 0o700)
			f.SHA256, _ = launch.Digest(p.Path)
		},
		"its file": func(_ Plugin, _ *Locked, f *File) {
			f.File, f.SHA256 = "plugin.yaml", f.Manifest
		},
		"its version": func(_ Plugin, l *Locked, _ *File) { l.Version = "9.9.9" },
		"its signer":  func(_ Plugin, l *Locked, _ *File) { l.Signer = "" },
	} {
		us := newSecret(t)
		r, path := believing(t, us), packaged(t, "1.2.0", 0, nil)
		signedBy(t, us, path)
		p, err := r.Install(t.Context(), path, InstallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Resolve("turbine"); err != nil {
			t.Fatal(err)
		}
		forge(t, r, func(l *Locked, f *File) { change(p, l, f) })
		if _, err := r.Resolve("turbine"); err == nil || !strings.Contains(err.Error(), "the lock file says that") {
			t.Errorf("%s: it would start: %v", name, err)
		}
		if r.Verify() == nil {
			t.Errorf("%s: it is verified", name)
		}
	}
}

// Where it cannot be told whether a signature lies beside a package, it does not count as one that nobody has signed.
func TestKeyring_SignatureThatCannotBeLookedFor(t *testing.T) {
	dir := t.TempDir()
	locked := Locked{Folder: "p", Platforms: map[string]File{Platform: {Package: "p.tar.zst"}}}
	if err := (Keyring{dir: dir}).unsigned(locked); err != nil {
		t.Fatalf("without one: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "p"), nil, 0o600); err != nil { // in the place of the folder
		t.Fatal(err)
	}
	if err := (Keyring{dir: dir}).unsigned(locked); err == nil {
		t.Error("a folder that is none has no signature")
	}
}
