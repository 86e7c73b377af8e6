package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/penstock-db/penstock/internal/distribution/pack"
	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/distribution/trust"
	"github.com/penstock-db/penstock/internal/durable"
	"github.com/penstock-db/penstock/internal/regular"
)

// manifestField of a signature's trusted comment is the SHA-256 of the manifest in the package.
const manifestField = "manifest"

// SignPackage signs a package, and leaves the signature beside it, in PACKAGE.minisig. The trusted comment says when,
// the package's name and the SHA-256 of its manifest.
func SignPackage(path string, secret sign.Secret) (sign.Signature, error) {
	file, err := regular.Open(path)
	if err != nil {
		return sign.Signature{}, err
	}
	defer file.Close()
	found, err := pack.Inspect(context.Background(), file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return sign.Signature{}, fmt.Errorf("%s: %w", path, err)
	}
	signature, err := secret.Sign(file, fmt.Sprint("timestamp:", time.Now().Unix()), "file:"+filepath.Base(path),
		manifestField+":"+found.SHA256)
	if err != nil {
		return sign.Signature{}, fmt.Errorf("%s: %w", path, err)
	}
	return signature, durable.Replace(path+sign.Suffix, signature.Text(), 0o644)
}

// verifySignature fails unless a key has signed a package, and tells what the package is. What the trusted comment says
// of the manifest must be so.
func verifySignature(path string, signature sign.Signature, key sign.Key) (pack.Unpacked, error) {
	file, err := regular.Open(path)
	if err != nil {
		return pack.Unpacked{}, err
	}
	defer file.Close()
	err = signature.Verify(key, file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return pack.Unpacked{}, fmt.Errorf("%s: %w", path, err)
	}
	found, err := pack.Inspect(context.Background(), file)
	if said := signature.Field(manifestField); err == nil && said != "" && said != found.SHA256 {
		err = &sign.ForgedError{Key: key, What: "manifest"}
	}
	if err != nil {
		return pack.Unpacked{}, fmt.Errorf("%s: %w", path, err)
	}
	return found, nil
}

// Verified is a package that somebody has signed.
type Verified struct {
	Manifest  *Manifest
	Signature sign.Signature
	Signer    trust.Signer // nobody, where a key was named
}

// VerifyPackage fails unless the signature beside a package is of it, by this key, or, without one, by a signer who is
// trusted with the plugin.
func (k Keyring) VerifyPackage(path string, key *sign.Key) (Verified, error) {
	signature, err := readSignature(path + sign.Suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return Verified{}, fmt.Errorf("%s: %w: there is no %s", path, errNobody, path+sign.Suffix)
	}
	if err != nil {
		return Verified{}, err
	}
	found := Verified{Signature: signature}
	if key == nil {
		store, err := k.read()
		if err != nil {
			return Verified{}, err
		}
		signer, ok := store.ByID(signature.KeyID())
		if !ok {
			return Verified{}, &UntrustedError{Plugin: path, KeyID: signature.KeyID()}
		}
		found.Signer, key = signer, &signer.Key
	}
	unpacked, err := verifySignature(path, signature, *key)
	if err != nil {
		return Verified{}, err
	}
	if found.Manifest = unpacked.Manifest; found.Signer.Name != "" && !found.Signer.MaySign(found.Manifest.Name) {
		return Verified{}, &NotTheirsError{Plugin: found.Manifest.Name, Signer: found.Signer}
	}
	return found, nil
}

// keepSignature verifies the signature that lies beside source, where there is one, of the copy of it in a folder, and
// keeps it there. The key is that of the trusted signer; nil: nobody who is trusted has signed it, for the reason that
// is told.
func (k Keyring) keepSignature(source, folder string) (key *sign.Key, reason error, err error) {
	signature, err := readSignature(source + sign.Suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNobody, nil
	}
	if err != nil {
		return nil, nil, err
	}
	store, err := k.read()
	if err != nil {
		return nil, nil, err
	}
	signer, ok := store.ByID(signature.KeyID())
	if !ok {
		return nil, &UntrustedError{Plugin: source, KeyID: signature.KeyID()}, nil
	}
	kept := filepath.Join(folder, packageFile)
	unpacked, err := verifySignature(kept, signature, signer.Key)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", source, err)
	}
	if name := unpacked.Manifest.Name; !signer.MaySign(name) {
		return nil, nil, &NotTheirsError{Plugin: name, Signer: signer}
	}
	return &signer.Key, nil, durable.Write(kept+sign.Suffix, signature.Text(), 0o644)
}

// signedAs is the key that goes into the lock file: that of who has signed a package, or none where the user has
// allowed that for the plugin's name.
func signedAs(name, source string, key *sign.Key, reason error, opts InstallOptions) (string, error) {
	switch {
	case key != nil:
		return key.String(), nil
	case slices.Contains(opts.AllowUnsigned, name):
		return "", nil
	case errors.Is(reason, errNobody):
		return "", &UnsignedError{Plugin: name, Package: source}
	}
	return "", reason
}
