package registry

import (
	"os"
	"strings"
	"testing"
	"time"
)

// A registry that stays open sees what others write: another file in its place, and the same one with other text.
func TestInfo_SeesWhatOthersWrite(t *testing.T) {
	r := fresh(t)
	if _, err := r.Info("turbine"); err == nil {
		t.Error("it is there before it is installed")
	}
	version := func() string {
		t.Helper()
		p, err := r.Info("turbine")
		if err != nil {
			t.Fatal(err)
		}
		return p.Version
	}
	age := func(by time.Duration) {
		t.Helper()
		if err := os.Chtimes(r.lockPath(), time.Time{}, time.Now().Add(-by)); err != nil {
			t.Fatal(err)
		}
	}
	other := &Registry{dir: r.dir}
	mustInstall(t, other, published(t, "1.0.0", "one"))
	age(time.Hour)
	if version() != "1.0.0" || r.last.lock == nil {
		t.Fatalf("version %s, remembered: %v", version(), r.last.lock)
	}
	if err := other.Remove("turbine"); err != nil {
		t.Fatal(err)
	}
	mustInstall(t, other, published(t, "2.0.0", "two"))
	age(time.Hour)
	if version() != "2.0.0" {
		t.Errorf("another file: version %s", version())
	}
	text, err := os.ReadFile(r.lockPath())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.lockPath(), []byte(strings.ReplaceAll(string(text), "2.0.0", "3.0.0")), 0o600); err != nil {
		t.Fatal(err)
	}
	age(-time.Minute) // however long this process is kept from looking, the file is new
	if version() != "3.0.0" || r.last.lock != nil {
		t.Errorf("other text: version %s, remembered though the file is new: %v", version(), r.last.lock)
	}
}
