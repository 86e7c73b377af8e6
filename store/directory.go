package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/internal/durable"
	"github.com/penstock-db/penstock/store/internal/catalog"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/tree"
)

const (
	formatFile  = "FORMAT"
	dataDir     = "badger"
	catalogFile = "CATALOG"
	// formatLine is what FORMAT holds, with a version.
	//
	//	1  first version
	//	2  CATALOG and SYNCED; databases of version 1 get them when they are opened for writing
	formatLine = "penstock database "
	formatNow  = 2
	// formatDamaged is that of a database of version 2 whose FORMAT is damaged.
	formatDamaged = 0
)

// prepare sees to it that dir is a database directory, makes one if create allows, and tells its format.
func prepare(dir string, create bool) (format int, err error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return 0, &failure.NotDatabaseError{Dir: dir}
	}
	text, err := os.ReadFile(filepath.Join(dir, formatFile))
	if err == nil {
		format, err = readFormat(dir, string(text))
	}
	var damaged *failure.NotDatabaseError
	if (errors.Is(err, fs.ErrNotExist) || errors.As(err, &damaged)) && hasCatalog(dir) {
		return formatDamaged, nil
	}
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return format, err
	}
	found, err := firstEntry(dir)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return 0, err
	case found != "":
		return 0, &failure.NotDatabaseError{Dir: dir, Found: found}
	case !create:
		return 0, &failure.MissingError{Dir: dir}
	}
	return formatNow, initialize(dir)
}

// hasCatalog tells whether dir is a database by its other files: a catalog, and Badger's.
func hasCatalog(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, dataDir))
	return err == nil && catalog.Is(filepath.Join(dir, catalogFile))
}

func readFormat(dir, text string) (format int, err error) {
	line := strings.TrimSpace(text)
	version, ok := strings.CutPrefix(line, formatLine)
	if !ok {
		return 0, &failure.NotDatabaseError{Dir: dir, Found: "a FORMAT file of something else"}
	}
	format, err = strconv.Atoi(version)
	if err != nil || format < 1 || format > formatNow {
		return 0, &VersionError{Dir: dir, Found: line}
	}
	return format, nil
}

// firstEntry names something in dir that we did not put there; "" when there is nothing.
func firstEntry(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		switch e.Name() {
		case formatFile + ".new", catalogFile, catalogFile + ".new", tree.SyncedFile, tree.SyncedFile + ".new", "lost+found":
		default:
			return e.Name(), nil
		}
	}
	return "", nil
}

// initialize makes the files of an empty database. FORMAT comes last, so that all others are on the disk
// when it exists.
func initialize(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := makeBooks(dir); err != nil {
		return err
	}
	if err := writeFormat(dir); err != nil {
		return err
	}
	return durable.SyncDir(filepath.Dir(filepath.Clean(dir)))
}

// makeBooks makes the catalog and SYNCED of an empty database.
func makeBooks(dir string) error {
	empty, err := catalog.Create(filepath.Join(dir, catalogFile), nil)
	if err != nil {
		return err
	}
	return errors.Join(empty.Close(), tree.MakeSynced(dir))
}

// writeFormat makes dir a database of the newest format.
func writeFormat(dir string) error {
	return durable.Replace(filepath.Join(dir, formatFile), fmt.Appendf(nil, "%s%d\n", formatLine, formatNow), 0o644)
}

// VersionError says that the database was written in a format that this program does not read.
type VersionError struct {
	Dir   string
	Found string
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("database %s has format %q, this penstock reads %s1 to %d", e.Dir, e.Found, formatLine, formatNow)
}
