package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"

	"github.com/penstock-db/penstock/internal/distribution/sign"
)

// FollowsField of a signature's trusted comment is the SHA-256 of the index before. A signature is written before its
// index: who is killed in between leaves it beside the index that it follows, and could prove that one no more.
const FollowsField = "follows"

// previous is the index that the next one in a folder follows.
type previous struct {
	*Index
	digest string // of its text; empty: the next one is the first
}

// readPrevious reads the index that is in a folder, which one of the keys has signed. One that is not there is that
// before the first.
//
// Errors: *UnprovenError, *manifest.Error, those of reading.
func readPrevious(ctx context.Context, folder string, keys ...sign.Key) (previous, error) {
	source, err := At(folder)
	if err != nil {
		return previous{}, err
	}
	path := filepath.Join(folder, File)
	text, err := source.ReadAll(ctx, File, MaxBytes)
	none := errors.Is(err, fs.ErrNotExist)
	if err != nil && !none {
		return previous{}, err
	}
	signed, err := source.ReadAll(ctx, File+sign.Suffix, sign.MaxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist) && none:
		return previous{Index: &Index{}}, nil
	case errors.Is(err, fs.ErrNotExist):
		return previous{}, &UnprovenError{path, fmt.Errorf("there is no %s beside it", File+sign.Suffix)}
	case err != nil:
		return previous{}, err
	}
	signature, err := sign.ParseSignature(signed)
	if err == nil {
		err = prove(signature, text, none, keys)
	}
	if err != nil {
		return previous{}, &UnprovenError{path, err}
	}
	if none {
		return previous{Index: &Index{}}, nil
	}
	digest := sha256.Sum256(text)
	ix, err := Parse(text, path)
	return previous{ix, hex.EncodeToString(digest[:])}, err
}

// prove fails unless the owner of one of the keys has signed an index, or what was to follow it; or what was to be the
// first, where there is none.
func prove(signature sign.Signature, text []byte, none bool, keys []sign.Key) error {
	key := keys[0]
	for _, other := range keys[1:] {
		if other.ID() == signature.KeyID() {
			key = other
		}
	}
	if err := signature.VerifyComment(key); err != nil {
		return err
	}
	switch follows := signature.Field(FollowsField); {
	case none && signature.Field(SerialField) == strconv.Itoa(1):
		return nil
	case none:
		return errors.New("it is not there, though its signature is")
	case follows != "":
		if digest := sha256.Sum256(text); follows == hex.EncodeToString(digest[:]) {
			return nil
		}
	}
	return signature.VerifyBytes(key, text)
}

// UnprovenError is an index that its maker cannot be shown to have made, so that what it has revoked, and its serial,
// are not taken over.
type UnprovenError struct {
	File string
	Err  error
}

func (e *UnprovenError) Error() string {
	return fmt.Sprintf("%s: %v: nothing of it is taken over, what it has revoked included. "+
		"Put it back with its signature, as they were published; where you have signed it by another key, "+
		"--previous-key names that one", e.File, e.Err)
}

func (e *UnprovenError) Unwrap() error { return e.Err }

// OlderError is an index that its maker has signed, and that is older than the last, or none: the next one would not
// revoke what was revoked since.
type OlderError struct {
	Folder      string
	Found, Made int64 // serials; 0: there is none
}

func (e *OlderError) Error() string {
	return fmt.Sprintf("the index in %s has serial %d (0: there is none), but %d was made here: what was revoked since "+
		"is not in it. Put the last one back, with its signature; --older takes over from this one all the same",
		e.Folder, e.Found, e.Made)
}
