package trust

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/distribution/sign"
)

func newKey(t testing.TB) sign.Key {
	t.Helper()
	secret, err := sign.NewSecret()
	if err != nil {
		t.Fatal(err)
	}
	return secret.Key()
}

func TestMaySign(t *testing.T) {
	for _, c := range []struct {
		signer Signer
		plugin string
		may    bool
	}{
		{Signer{Tier: Core}, "penstock-leiden", true},
		{Signer{Tier: Private}, "penstock-leiden", false},
		{Signer{Tier: Private}, "turbine", true},
		{Signer{Tier: Private, Plugins: []string{"acme-*"}}, "turbine", false},
		{Signer{Tier: Community, Plugins: []string{"acme-*", "wheel"}}, "acme-turbine", true},
		{Signer{Tier: Community, Plugins: []string{"acme-*", "wheel"}}, "wheel", true},
		{Signer{Tier: Community, Plugins: []string{"acme-*", "wheel"}}, "wheels", false},
		{Signer{Tier: Community, Plugins: []string{"*"}}, "penstock-leiden", false},
	} {
		if c.signer.MaySign(c.plugin) != c.may {
			t.Errorf("%+v, %s: not %v", c.signer, c.plugin, c.may)
		}
	}
}

func TestStore_AddsAndRemoves(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trust.json")
	s, err := Read(file)
	if err != nil || len(s.Signers) != 0 {
		t.Fatal(s, err)
	}
	key := newKey(t)
	ours := Signer{Name: "us", Key: key, Tier: Private}
	if err := s.Add(ours); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []Signer{
		{Name: "us", Key: newKey(t), Tier: Private},
		{Name: "others", Key: key, Tier: Private},
		{Name: "", Key: newKey(t), Tier: Private},
		{Name: "a b", Key: newKey(t), Tier: Private},
		{Name: "others", Tier: Private},
		{Name: "others", Key: newKey(t), Tier: Unsigned},
		{Name: "others", Key: newKey(t), Tier: Community},
		{Name: "others", Key: newKey(t), Tier: Community, Plugins: []string{"["}},
		{Name: "others", Key: newKey(t), Tier: Community, Plugins: []string{"../x"}},
	} {
		refused := new(SignerError)
		if err := s.Add(wrong); !errors.As(err, &refused) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	text, err := s.Text()
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	again, failed := Read(file)
	if err != nil || failed != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("%+v, %v, %v", again, err, failed)
	}
	if found, ok := again.ByKey(key); !ok || found.Name != "us" {
		t.Error(found)
	}
	if found, ok := again.ByID(key.ID()); !ok || found.Name != "us" {
		t.Error(found)
	}
	if _, ok := again.ByKey(newKey(t)); ok {
		t.Error("a key that nobody has added is found")
	}
	if err := again.Remove("us"); err != nil || len(again.Signers) != 0 {
		t.Error(again, err)
	}
	refused := new(SignerError)
	if err := again.Remove("us"); !errors.As(err, &refused) {
		t.Error(err)
	}
}

func TestPermit_OnlyForbids(t *testing.T) {
	for value, allowed := range map[string]map[Tier]bool{
		"":               {Core: true, Private: true, Community: true, Unsigned: true},
		"core":           {Core: true},
		"core, private":  {Core: true, Private: true},
		"unsigned":       {Unsigned: true},
		"core,all":       {},
		",":              {},
		"core,private, ": {},
	} {
		t.Setenv(Variable, value)
		for _, tier := range []Tier{Core, Private, Community, Unsigned} {
			if err := Permit("turbine", tier); (err == nil) != allowed[tier] {
				t.Errorf("%q, %s: %v", value, tier, err)
			}
		}
	}
}

func FuzzStore(f *testing.F) {
	s := Store{Version: 1, Signers: []Signer{{Name: "us", Key: newKey(f), Tier: Community, Plugins: []string{"acme-*"}}}}
	text, err := s.Text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"version":1,"signers":[{"name":"x","key":"RWQ=","tier":"core"}]}`))
	f.Add([]byte(`{"version":1,"rules":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parse(text, "trust.json")
		if err != nil {
			if _, typed := errors.AsType[*manifest.Error](err); !typed {
				t.Error(err)
			}
			return
		}
		for _, signer := range s.Signers {
			if err := signer.Check(); err != nil {
				t.Error(err)
			}
		}
	})
}
