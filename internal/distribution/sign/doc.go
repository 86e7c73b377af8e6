// Package sign signs files and checks signatures in minisign's format (https://jedisct1.github.io/minisign/), so that
// either side may use the program of that name instead.
//
//	Secret ──Sign──▶ FILE.minisig ──ParseSignature──▶ Signature ──Verify──▶ FILE is what the key's owner has signed
//
// A signature is Ed25519 (RFC 8032) of the file's BLAKE2b-512 digest (RFC 7693), so that files of any size are read
// once and held nowhere. The older kind, of the file itself, is refused. A signature has a trusted comment, which is
// signed with it. Among the comment's fields, which are parted by tabs, Sign's caller may put what a reader wants to
// know without the file.
package sign

import (
	"fmt"
)

// Suffix of the names of files with signatures.
const Suffix = ".minisig"

// MaxBytes is how long a file with a key or a signature may be.
const MaxBytes = 4 << 10

// FormatError is a text that is no key or signature.
type FormatError struct {
	What   string // it should be: "public key", "secret key" or "signature"
	Reason string
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("it is no %s of minisign: %s", e.What, e.Reason)
}

// ForgedError is a signature that is not that of a key's owner, of this file.
type ForgedError struct {
	Key  Key
	What string // is not signed: "file" or "trusted comment"
}

func (e *ForgedError) Error() string {
	return fmt.Sprintf("the signature does not fit: key %s has not signed this %s; it, or the signature, has been changed since, "+
		"or belongs to another", e.Key.ID(), e.What)
}

// OtherKeyError is a signature by another key than was asked for.
type OtherKeyError struct {
	Expected, Found string // IDs
}

func (e *OtherKeyError) Error() string {
	return fmt.Sprintf("it is signed by key %s, not by %s", e.Found, e.Expected)
}
