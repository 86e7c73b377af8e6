package sign

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"aead.dev/minisign"
)

// Key is the public half of a pair.
type Key struct{ public minisign.PublicKey }

// ParseKey reads a public key: the text of a file, or its last line alone, as people send it to each other.
//
// Errors: *FormatError.
func ParseKey(text string) (Key, error) {
	line, err := lastLine(text, "public key")
	if err != nil {
		return Key{}, err
	}
	var k Key
	if err := k.public.UnmarshalText([]byte(line)); err != nil {
		return Key{}, &FormatError{"public key", reason(err)}
	}
	return k, nil
}

// lastLine is a file's text without the comment above it.
func lastLine(text, what string) (string, error) {
	if len(text) > MaxBytes {
		return "", &FormatError{what, fmt.Sprintf("it has %d bytes, more than %d", len(text), MaxBytes)}
	}
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")), "\n")
	if len(lines) > 2 || len(lines) == 2 && !strings.HasPrefix(lines[0], untrusted) {
		return "", &FormatError{what, "it is a line of base64, with at most an untrusted comment above it"}
	}
	return lines[len(lines)-1], nil
}

// untrusted begins the first line of every file of minisign's.
const untrusted = "untrusted comment: "

func reason(err error) string { return strings.TrimPrefix(err.Error(), "minisign: ") }

// ID tells keys apart for people: 16 hexadecimal digits, which anybody can give a key of his own.
func (k Key) ID() string { return id(k.public.ID()) }

func id(n uint64) string { return fmt.Sprintf("%016X", n) }

// String is the key as one line of base64.
func (k Key) String() string { return k.public.String() }

// File is the text of a file with the key.
func (k Key) File() []byte {
	return fmt.Appendf(nil, "%sminisign public key %s\n%s\n", untrusted, k.ID(), k)
}

// Equal tells whether two keys are the same, in all of their bits.
func (k Key) Equal(other Key) bool { return k.public.Equal(other.public) }

// MarshalText is String.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText is ParseKey.
func (k *Key) UnmarshalText(text []byte) (err error) {
	*k, err = ParseKey(string(text))
	return err
}

// ed25519 is the key without its ID.
func (k Key) ed25519() ed25519.PublicKey {
	raw, _ := base64.StdEncoding.DecodeString(k.String()) // which has just been encoded
	return raw[len(raw)-ed25519.PublicKeySize:]
}

// Secret is the half of a pair that signs.
type Secret struct{ private minisign.PrivateKey }

// NewSecret makes a pair of keys.
func NewSecret() (Secret, error) {
	_, private, err := minisign.GenerateKey(nil)
	return Secret{private}, err
}

// Key is the public half.
func (s Secret) Key() Key {
	return Key{s.private.Public().(minisign.PublicKey)}
}

// File is the text of a file with the secret key, under a password; empty: under none. Under one it takes 1 GiB of
// memory and some seconds (scrypt, RFC 7914), as reading it does: what minisign asks of whoever guesses.
func (s Secret) File(password string) (text []byte, err error) {
	if password == "" {
		text, err = s.private.MarshalText()
	} else {
		text, err = minisign.EncryptKey(password, s.private)
	}
	return append(text, '\n'), err
}

// ErrPassword is a password that is not that of the secret key.
var ErrPassword = errors.New("the password is wrong, or the key is damaged")

// IsEncrypted tells whether a secret key's file needs a password.
func IsEncrypted(text string) bool { return minisign.IsEncrypted([]byte(text)) }

// ParseSecret reads a secret key's file. password is not used where the key has none.
//
// Errors: *FormatError, ErrPassword.
func ParseSecret(text, password string) (Secret, error) {
	line, err := lastLine(text, "secret key")
	if err != nil {
		return Secret{}, err
	}
	var s Secret
	if IsEncrypted(line) {
		if s.private, err = minisign.DecryptKey(password, []byte(line)); err != nil {
			return Secret{}, ErrPassword
		}
	} else if err := s.private.UnmarshalText([]byte(line)); err != nil {
		return Secret{}, &FormatError{"secret key", reason(err)}
	}
	return s, nil
}
