package store

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/load"
)

func TestOpen_RefusesWhatIsNoDatabase(t *testing.T) {
	dir := scratch(t)
	file := filepath.Join(dir, "notes.txt")
	must(t, os.WriteFile(file, []byte("mine"), 0o600))
	var foreign *failure.NotDatabaseError
	if _, err := Open(dir, Options{Create: true}); !errors.As(err, &foreign) || foreign.Found != "notes.txt" {
		t.Error(err)
	}
	var missing *failure.MissingError
	for _, sub := range []string{"none", "empty"} {
		path := filepath.Join(dir, sub)
		if sub == "empty" {
			must(t, os.Mkdir(path, 0o755))
		}
		if _, err := Open(path, Options{}); !errors.As(err, &missing) || missing.Dir != path {
			t.Error(sub, err)
		}
	}
	for _, create := range []bool{false, true} {
		_, err := Open(file, Options{Create: create})
		want := file + " is a file, but a penstock database is a directory; choose an empty or new one"
		if !errors.As(err, &foreign) || err.Error() != want {
			t.Error(err)
		}
	}
}

func TestOpen_ChecksFormat(t *testing.T) {
	dir := scratch(t)
	format := filepath.Join(dir, directory.FormatFile)
	must(t, os.WriteFile(format, []byte("penstock database 99\n"), 0o600))
	var version *VersionError
	if _, err := Open(dir, Options{}); !errors.As(err, &version) || version.Found != "penstock database 99" {
		t.Error(err)
	}
	must(t, os.WriteFile(format, []byte("restic repository\n"), 0o600))
	var foreign *failure.NotDatabaseError
	if _, err := Open(dir, Options{}); !errors.As(err, &foreign) {
		t.Error(err)
	}
}

func TestOpen_IsExclusive(t *testing.T) {
	db := testDB(t)
	var locked *failure.LockedError
	if _, err := Open(db.dir, Options{}); !errors.As(err, &locked) || locked.PID != os.Getpid() {
		t.Error(err)
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"=open", childDirEnv+"="+db.dir)
	out, err := child.CombinedOutput()
	if err == nil {
		t.Errorf("another process opened it: %s", out)
	}
	if want := (&failure.LockedError{Dir: db.dir, PID: os.Getpid()}).Error() + "\n"; string(out) != want {
		t.Errorf("it said %q, not %q", out, want)
	}
}

func TestOpen_Again(t *testing.T) {
	dir := scratch(t)
	for i := range 3 {
		db, err := Open(dir, Options{Create: i == 0})
		must(t, err)
		if i == 0 {
			_, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}), load.Options{})
			must(t, err)
			must(t, os.WriteFile(filepath.Join(directory.Temp(db.dir), "left over"), nil, 0o600))
		}
		must(t, db.Verify(t.Context(), "g"))
		must(t, db.Close())
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "tmp")); err != nil || len(entries) > 0 {
		t.Error("temporary files stayed", entries, err)
	}
}
