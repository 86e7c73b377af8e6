package registry

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/distribution/sign"
)

// A maker is not made to follow an older index of its own, nor none: what was revoked since would be forgotten.
func TestMakeIndex_FollowsTheLast(t *testing.T) {
	r, secret, folder := fresh(t), newSecret(t), t.TempDir()
	files := []string{filepath.Join(folder, index.File), filepath.Join(folder, index.File+sign.Suffix)}
	var first [2][]byte
	for i, revoked := range []string{"turbine", "wheel"} {
		e := index.Edition{Revoke: []index.Revocation{{Plugin: revoked}}}
		if ix, err := r.MakeIndex(t.Context(), folder, secret, e, false); err != nil || ix.Serial != int64(i+1) {
			t.Fatalf("%+v, %v", ix, err)
		}
		if i > 0 {
			continue
		}
		for k, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			first[k] = text
		}
	}
	for _, back := range [][2][]byte{first, {}} {
		for i, file := range files {
			if err := os.WriteFile(file, back[i], 0o600); err != nil {
				t.Fatal(err)
			}
			if back[i] == nil {
				os.Remove(file)
			}
		}
		older := new(index.OlderError)
		_, err := r.MakeIndex(t.Context(), folder, secret, index.Edition{}, false)
		if !errors.As(err, &older) || older.Made != 2 {
			t.Errorf("%d bytes: %v", len(back[0]), err)
		}
	}
	if ix, err := r.MakeIndex(t.Context(), folder, secret, index.Edition{}, true); err != nil || ix.Serial != 1 {
		t.Errorf("%+v, %v", ix, err)
	}
	if ix, err := r.MakeIndex(t.Context(), folder, secret, index.Edition{}, false); err != nil || ix.Serial != 2 {
		t.Errorf("%+v, %v", ix, err)
	}
	other, _ := Open(t.TempDir()) // where nobody remembers
	if ix, err := other.MakeIndex(t.Context(), folder, secret, index.Edition{}, false); err != nil || ix.Serial != 3 {
		t.Errorf("%+v, %v", ix, err)
	}
	if _, err := r.MakeIndex(t.Context(), folder, secret, index.Edition{}, false); err != nil {
		t.Errorf("a later one: %v", err)
	}
	os.WriteFile(filepath.Join(r.Dir(), madeFile), []byte(`{"version":1,"serial":{}}`), 0o600)
	damaged := new(ManifestError)
	if _, err := r.MakeIndex(t.Context(), folder, secret, index.Edition{}, false); !errors.As(err, &damaged) {
		t.Error(err)
	}
}
