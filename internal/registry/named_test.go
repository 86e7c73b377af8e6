package registry

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/internal/distribution/archive"
	"github.com/penstock-db/penstock/internal/distribution/pack"
)

// What is called as packages are is refused as one, and not run as a program.
func TestInstall_PackageByName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "turbine_1.2.0"+pack.Suffix)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	none := new(archive.FormatError)
	if _, err := fresh(t).Install(t.Context(), path, unsigned); !errors.As(err, &none) {
		t.Error(err)
	}
}
