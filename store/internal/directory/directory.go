// Package directory is the folder of a database: what makes a folder one, in which format it is, what lies where, and
// who has it open.
package directory

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

// What lies in the folder, beside the files of packages space and tree.
const (
	FormatFile  = "FORMAT"
	DataDir     = "badger"
	CatalogFile = "CATALOG"
	tempDir     = "tmp"
	// FormatLine is what FORMAT holds, with a version.
	//
	//	1  first version
	//	2  CATALOG and SYNCED; databases of version 1 get them when they are opened for writing
	FormatLine = "penstock database "
	FormatNow  = 2
	// FormatDamaged is that of a database of version 2 whose FORMAT is damaged.
	FormatDamaged = 0
)

// Data is where Badger's files of the database at dir are.
func Data(dir string) string { return filepath.Join(dir, DataDir) }

// Catalog is the catalog of the database at dir.
func Catalog(dir string) string { return filepath.Join(dir, CatalogFile) }

// Temp is where loads into the database at dir keep their files.
func Temp(dir string) string { return filepath.Join(dir, tempDir) }

// EmptyTemp makes Temp an empty folder.
func EmptyTemp(dir string) error {
	return errors.Join(os.RemoveAll(Temp(dir)), os.MkdirAll(Temp(dir), 0o755))
}

// Prepare sees to it that dir is a database directory, makes one if create allows, and tells its format.
func Prepare(dir string, create bool) (format int, err error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return 0, &failure.NotDatabaseError{Dir: dir}
	}
	text, err := os.ReadFile(filepath.Join(dir, FormatFile))
	if err == nil {
		format, err = readFormat(dir, string(text))
	}
	var damaged *failure.NotDatabaseError
	if (errors.Is(err, fs.ErrNotExist) || errors.As(err, &damaged)) && hasCatalog(dir) {
		return FormatDamaged, nil
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
	return FormatNow, initialize(dir)
}

// hasCatalog tells whether dir is a database by its other files: a catalog, and Badger's.
func hasCatalog(dir string) bool {
	_, err := os.Stat(Data(dir))
	return err == nil && catalog.Is(Catalog(dir))
}

func readFormat(dir, text string) (format int, err error) {
	line := strings.TrimSpace(text)
	version, ok := strings.CutPrefix(line, FormatLine)
	if !ok {
		return 0, &failure.NotDatabaseError{Dir: dir, Found: "a FORMAT file of something else"}
	}
	format, err = strconv.Atoi(version)
	if err != nil || format < 1 || format > FormatNow {
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
		case FormatFile + ".new", CatalogFile, CatalogFile + ".new", tree.SyncedFile, tree.SyncedFile + ".new", "lost+found":
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
	if err := MakeEmpty(dir); err != nil {
		return err
	}
	if err := WriteFormat(dir); err != nil {
		return err
	}
	return durable.SyncDir(filepath.Dir(filepath.Clean(dir)))
}

// MakeEmpty makes the catalog and SYNCED of an empty database, which does not have FORMAT yet.
func MakeEmpty(dir string) error {
	empty, err := catalog.Create(Catalog(dir), nil)
	if err != nil {
		return err
	}
	return errors.Join(empty.Close(), tree.MakeSynced(dir))
}

// WriteFormat makes dir a database of the newest format.
func WriteFormat(dir string) error {
	return durable.Replace(filepath.Join(dir, FormatFile), fmt.Appendf(nil, "%s%d\n", FormatLine, FormatNow), 0o644)
}

// VersionError says that the database was written in a format that this program does not read.
type VersionError struct {
	Dir   string
	Found string
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("database %s has format %q, this penstock reads %s1 to %d", e.Dir, e.Found, FormatLine, FormatNow)
}
