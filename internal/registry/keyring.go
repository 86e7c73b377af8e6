package registry

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/distribution/pack"
	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/distribution/trust"
	"github.com/penstock-db/penstock/internal/durable"
)

// TrustFile is the name of the file in a plugin directory that says whose signatures are believed.
const TrustFile = "trust.json"

// Keyring is whose signatures are believed in a plugin directory.
type Keyring struct{ dir string }

// Keyring is that of the plugin directory.
func (r *Registry) Keyring() Keyring { return Keyring{r.dir} }

func (k Keyring) read() (*trust.Store, error) { return trust.Read(filepath.Join(k.dir, TrustFile)) }

// Signers are those whose signatures are believed, in the order in which they were added.
func (k Keyring) Signers() ([]trust.Signer, error) {
	store, err := k.read()
	if err != nil {
		return nil, err
	}
	return store.Signers, nil
}

// Trust believes the signatures of another signer.
func (k Keyring) Trust(signer trust.Signer) error {
	return k.change(func(store *trust.Store) error { return store.Add(signer) })
}

// Distrust believes a signer no more: what that signer has signed starts no more either, though it stays installed.
func (k Keyring) Distrust(name string) error {
	return k.change(func(store *trust.Store) error { return store.Remove(name) })
}

func (k Keyring) change(edit func(*trust.Store) error) error {
	return exclusively(k.dir, func() error {
		store, err := k.read()
		if err != nil {
			return err
		}
		if err := edit(store); err != nil {
			return err
		}
		text, err := store.Text()
		if err != nil {
			return err
		}
		return durable.Replace(filepath.Join(k.dir, TrustFile), text, 0o644)
	})
}

// Standing is who answers for an installed plugin.
type Standing struct {
	Tier   trust.Tier
	Signer trust.Signer // none of an unsigned plugin
}

// Standing tells who answers for an installed plugin. It fails where whoever has signed it is not trusted any more.
func (r *Registry) Standing(name string) (Standing, error) {
	_, locked, err := r.find(name)
	if err != nil {
		return Standing{}, err
	}
	return r.Keyring().standing(name, locked)
}

func (k Keyring) standing(name string, locked Locked) (Standing, error) {
	if locked.Signer == "" {
		return Standing{Tier: trust.Unsigned}, nil
	}
	store, err := k.read()
	if err != nil {
		return Standing{}, err
	}
	key, err := sign.ParseKey(locked.Signer)
	if err != nil {
		return Standing{}, err
	}
	signer, ok := store.ByKey(key)
	if !ok {
		return Standing{}, &UntrustedError{Plugin: name, KeyID: key.ID()}
	}
	if !signer.MaySign(name) {
		return Standing{}, &NotTheirsError{Plugin: name, Signer: signer}
	}
	return Standing{signer.Tier, signer}, nil
}

// permit fails where a plugin may not start: its signer is not trusted any more, or has not signed these files; it, or
// the signer, is revoked; or it is of a tier that the environment forbids. The files themselves are compared with their
// manifest by launch.Start; that the signer has signed the manifest is seen from the signature alone, where
// `plugin sign` has made it, so that no package is read for a start.
func (k Keyring) permit(name string, locked Locked) error {
	standing, err := k.standing(name, locked)
	if err != nil {
		return err
	}
	if err := revoked(k.dir, name, locked); err != nil {
		return err
	}
	if err := k.unsigned(locked); err != nil {
		return damaged(name, err)
	}
	if locked.Signer != "" {
		if err := k.checkSignature(name, locked, standing.Signer.Key, false); err != nil {
			return damaged(name, err)
		}
	}
	return trust.Permit(name, standing.Tier)
}

// unsigned fails where a package is locked as one that nobody has signed, and has its signature beside it.
func (k Keyring) unsigned(locked Locked) error {
	if locked.Signer != "" || !locked.packaged() {
		return nil
	}
	kept := filepath.Join(k.dir, locked.Folder, packageFile+sign.Suffix)
	_, err := os.Lstat(kept)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("the lock file says that nobody has signed it, and there is %s", kept)
}

// verify compares a package with its signature, if it was installed for one.
func (k Keyring) verify(name string, locked Locked) error {
	standing, err := k.standing(name, locked)
	if err == nil {
		err = revoked(k.dir, name, locked)
	}
	if err == nil {
		err = k.unsigned(locked)
	}
	if err != nil || standing.Tier == trust.Unsigned {
		return err
	}
	return k.checkSignature(name, locked, standing.Signer.Key, true)
}

// checkSignature fails unless a key has signed the manifest that is locked, and, with all, the package that is kept.
func (k Keyring) checkSignature(name string, locked Locked, key sign.Key, all bool) error {
	kept := filepath.Join(k.dir, locked.Folder, packageFile)
	signature, err := readSignature(kept + sign.Suffix)
	if err != nil {
		return err
	}
	expected := locked.Platforms[Platform].Manifest
	if signed := signature.Field(manifestField); signed != "" && !all {
		if err := signature.VerifyComment(key); err != nil {
			return fmt.Errorf("%s: %w", kept+sign.Suffix, err)
		}
		if signed != expected {
			return fmt.Errorf("%s is of another manifest than is locked", kept+sign.Suffix)
		}
		return nil
	}
	signed, err := verifySignature(kept, signature, key)
	if err == nil && signed.SHA256 != expected {
		err = &pack.ContentError{File: kept, Reason: "it has another manifest than is locked"}
	}
	return err
}

// readSignature reads a signature's file.
func readSignature(path string) (sign.Signature, error) {
	info, err := os.Stat(path)
	if err != nil {
		return sign.Signature{}, err
	}
	if !info.Mode().IsRegular() || info.Size() > sign.MaxBytes {
		return sign.Signature{}, fmt.Errorf("%s: %w", path, &sign.FormatError{What: "signature",
			Reason: fmt.Sprintf("it is no file of at most %d bytes", sign.MaxBytes)})
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return sign.Signature{}, err
	}
	signature, err := sign.ParseSignature(text)
	if err != nil {
		return sign.Signature{}, fmt.Errorf("%s: %w", path, err)
	}
	return signature, nil
}

// UntrustedError is a signature by somebody who is not trusted, or not any more.
type UntrustedError struct {
	Plugin string // or a package
	KeyID  string
}

func (e *UntrustedError) Error() string {
	return fmt.Sprintf("%s is signed by key %s, which is not trusted here: if you know whose it is, "+
		"`penstock plugin trust add` trusts it",
		e.Plugin, e.KeyID)
}

// NotTheirsError is a plugin that its signer may not sign.
type NotTheirsError struct {
	Plugin string
	Signer trust.Signer
}

func (e *NotTheirsError) Error() string {
	return fmt.Sprintf("plugin %s is signed by %s (%s), who is not trusted with it: "+
		"`penstock plugin trust list` says who may sign what",
		e.Plugin, e.Signer.Name, e.Signer.Tier)
}

// SignerChangedError is a package whose signer is not that of what is installed under its name.
type SignerChangedError struct{ Plugin, Was, Is string }

func (e *SignerChangedError) Error() string {
	return fmt.Sprintf("plugin %s is installed as signed by %s, and this package is signed by %s: "+
		"if that is right, give --replace",
		e.Plugin, e.Was, e.Is)
}

// errNobody is of a package that has no signature at all.
var errNobody = errors.New("it is not signed")
