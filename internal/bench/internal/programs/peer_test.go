package programs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPeerIsFound: where all of its programs are; else the first that is missing is named.
func TestPeerIsFound(t *testing.T) {
	dir, p := t.TempDir(), peer{name: "toy", programs: []string{"a", "b"}}
	for _, missing := range p.programs {
		var of *PeerError
		if _, err := p.find(dir); !errors.As(err, &of) || !strings.HasSuffix(of.Found, " "+missing) {
			t.Errorf("%v: it lacks %s", err, missing)
		}
		if err := os.WriteFile(filepath.Join(dir, missing), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := p.find(dir); err != nil || found != dir {
		t.Error(found, err)
	}
}
