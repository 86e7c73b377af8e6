package index

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/distribution/sign"
)

// A package that was packed anew after it was signed nobody could install; whose others' signatures are users know.
func TestMake_LooksAtSignatures(t *testing.T) {
	secret, folder := newSecret(t), packages(t, "turbine@1.2.0", "wheel@0.1.0")
	turbine := filepath.Join(folder, "turbine_1.2.0_plan9_mips.tar.zst")
	signed := func(by sign.Secret, text string) []byte {
		signature, err := by.Sign(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return signature.Text()
	}
	text, err := os.ReadFile(turbine)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		signature []byte
		want      any // the kind of error; nil: it is listed
	}{
		"its own":           {signed(secret, string(text)), nil},
		"another's":         {signed(newSecret(t), "whatever"), nil},
		"of what it was":    {signed(secret, "another"), new(*sign.ForgedError)},
		"nobody's":          {[]byte("rot"), new(*sign.FormatError)},
		"its own once more": {signed(secret, string(text)), nil},
	} {
		if err := os.WriteFile(turbine+sign.Suffix, c.signature, 0o600); err != nil {
			t.Fatal(err)
		}
		ix, err := Make(t.Context(), folder, secret, Edition{})
		if c.want == nil && err != nil || c.want != nil && !errors.As(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		if got := ix.Unsigned(folder); len(got) != 1 || len(got["wheel"]) != 1 ||
			got["wheel"][0] != "wheel_0.1.0_plan9_mips.tar.zst" {
			t.Errorf("%s: %v is not signed", name, got)
		}
	}
}
