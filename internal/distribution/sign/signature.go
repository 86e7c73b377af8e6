package sign

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"aead.dev/minisign"
)

// Signature is what a FILE.minisig says. Nothing of it is true before it has been verified.
type Signature struct {
	text   []byte
	parsed minisign.Signature
}

// ParseSignature reads the text of a file with a signature.
//
// Errors: *FormatError.
func ParseSignature(text []byte) (Signature, error) {
	wrong := func(format string, args ...any) (Signature, error) {
		return Signature{}, &FormatError{"signature", fmt.Sprintf(format, args...)}
	}
	if len(text) > MaxBytes {
		return wrong("it has %d bytes, more than %d", len(text), MaxBytes)
	}
	s := Signature{text: slices.Clone(text)}
	if err := s.parsed.UnmarshalText(text); err != nil {
		return wrong("%s", reason(err))
	}
	if s.parsed.Algorithm != minisign.HashEdDSA {
		return wrong("it is of the older kind, of a file that is not hashed: sign again, without -l")
	}
	if err := checkComment(s.parsed.TrustedComment); err != nil {
		return wrong("its trusted comment has %v", err)
	}
	return s, nil
}

// checkComment refuses what would show as something else on a terminal, or as more than one line.
func checkComment(comment string) error {
	for _, r := range comment {
		if r != '\t' && !unicode.IsPrint(r) {
			return fmt.Errorf("the character %q, which cannot be shown", r)
		}
	}
	return nil
}

// KeyID is the ID of the key that it says it is by.
func (s Signature) KeyID() string { return id(s.parsed.KeyID) }

// Text is that of its file.
func (s Signature) Text() []byte { return slices.Clone(s.text) }

// Comment is the trusted comment.
func (s Signature) Comment() string { return s.parsed.TrustedComment }

// Field is what the trusted comment has after "NAME:"; empty: it has no such field.
func (s Signature) Field(name string) string {
	for field := range strings.SplitSeq(s.Comment(), "\t") {
		if value, ok := strings.CutPrefix(field, name+":"); ok {
			return value
		}
	}
	return ""
}

// Verify reads a file to its end and fails unless the key's owner has signed it, and the trusted comment.
//
// Errors: *OtherKeyError, *ForgedError, those of reading.
func (s Signature) Verify(by Key, file io.Reader) error {
	if err := s.VerifyComment(by); err != nil {
		return err
	}
	hashed := minisign.NewReader(file)
	if _, err := io.Copy(io.Discard, hashed); err != nil {
		return err
	}
	if !hashed.Verify(by.public, s.text) {
		return &ForgedError{by, "file"}
	}
	return nil
}

// VerifyBytes is Verify of a file's text.
func (s Signature) VerifyBytes(by Key, text []byte) error { return s.Verify(by, bytes.NewReader(text)) }

// VerifyComment fails unless the key's owner has signed the trusted comment, with the signature of some file.
//
// Errors: *OtherKeyError, *ForgedError.
func (s Signature) VerifyComment(by Key) error {
	if s.KeyID() != by.ID() {
		return &OtherKeyError{Expected: by.ID(), Found: s.KeyID()}
	}
	signed := append(slices.Clone(s.parsed.Signature[:]), s.parsed.TrustedComment...)
	if !ed25519.Verify(by.ed25519(), signed, s.parsed.CommentSignature[:]) {
		return &ForgedError{by, "trusted comment"}
	}
	return nil
}

// Sign reads a file to its end and signs it, with the fields of a trusted comment: "NAME:VALUE", one line each without
// tabs.
func (s Secret) Sign(file io.Reader, fields ...string) (Signature, error) {
	comment := strings.Join(fields, "\t")
	if err := checkComment(comment); err != nil {
		return Signature{}, fmt.Errorf("the trusted comment cannot have %w", err)
	}
	hashed := minisign.NewReader(file)
	if _, err := io.Copy(io.Discard, hashed); err != nil {
		return Signature{}, err
	}
	return ParseSignature(hashed.SignWithComments(s.private, comment, "signature by key "+s.Key().ID()))
}
