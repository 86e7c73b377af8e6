package backup

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/durable"
	"github.com/penstock-db/penstock/store"
)

// Create makes a backup at path, where nothing may be yet, of what write writes. previous is the
// backup that it follows; if it is empty, the backup is a full one and write is given no base.
// The file appears when it is whole and on the disk. As everything that writes, a backup leaves 48 MiB
// of the disk free, for databases that are open there.
//
// Errors: *store.ExistsError, *store.DiskFullError, those of Open for previous, and those of write.
func Create(ctx context.Context, path, previous string, write func(w io.Writer, base *PreviousFile) error) (err error) {
	if _, err := os.Lstat(path); err == nil {
		return &store.ExistsError{Path: path}
	}
	base, err := openBase(path, previous)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	temp, err := os.CreateTemp(dir, "."+filepath.Base(path)+"-unfinished-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = store.DiskFull(dir, err)
			_, _ = temp.Close(), os.Remove(temp.Name()) // it may be closed, or renamed
		}
	}()
	out := bufio.NewWriterSize(store.LeaveRoom(dir, temp), 1<<20)
	if err := errors.Join(write(out, base), ctx.Err()); err != nil {
		return err
	}
	if err := errors.Join(out.Flush(), temp.Sync()); err != nil {
		return err
	}
	info, err := temp.Stat()
	if err != nil {
		return err
	}
	if _, err := open(path, temp, info.Size()); err != nil { // what came from elsewhere may have ended early
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return &store.ExistsError{Path: path}
	}
	if err := errors.Join(temp.Close(), os.Rename(temp.Name(), path)); err != nil {
		return err
	}
	return durable.SyncDir(dir)
}

// PreviousFile is a backup that another is to follow.
type PreviousFile struct {
	Name string // seen from the folder of the other
	Tail []byte // see ReadBase
}

func openBase(path, previous string) (*PreviousFile, error) {
	if previous == "" {
		return nil, nil
	}
	f, err := Open(previous)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	tail, err := f.Tail()
	if err != nil {
		return nil, err
	}
	from, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	name, err := filepath.Abs(previous)
	if err != nil {
		return nil, err
	}
	if relative, err := filepath.Rel(from, name); err == nil {
		name = relative
	}
	return &PreviousFile{name, tail}, nil
}
