package auth

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"sync"

	"github.com/penstock-db/penstock/internal/durable"
)

// Directory is the users of a database, as the users file has them now, and those that the server
// was told when it was started. The latter stay as they are.
type Directory struct {
	file  string
	fixed Users

	mu   sync.Mutex // for all below
	read Users
	of   fs.FileInfo // the file that read is of; nil: there was none
}

// OpenDirectory reads the users file, which need not be there. Of two users of a name it is the
// fixed one that counts.
func OpenDirectory(file string, fixed Users) (*Directory, error) {
	d := &Directory{file: file, fixed: fixed}
	_, err := d.Users()
	return d, err
}

// Users are all users as they are now. The map is the caller's. After an error the
// users are unknown, and no client may log in.
func (d *Directory) Users() (Users, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.refresh(); err != nil {
		return nil, err
	}
	all := maps.Clone(d.read)
	maps.Copy(all, d.fixed)
	return all, nil
}

// Find is the user of that name, as it is now.
func (d *Directory) Find(name string) (User, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if user, ok := d.fixed[name]; ok {
		return user, nil
	}
	if err := d.refresh(); err != nil {
		return User{}, err
	}
	return d.read.Find(name)
}

// refresh reads the file if it is another than before, or was changed. It needs d.mu.
func (d *Directory) refresh() error {
	now, err := os.Stat(d.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.read, d.of = Users{}, nil
		return nil
	case err != nil:
		return err
	case d.of != nil && os.SameFile(now, d.of) && now.ModTime().Equal(d.of.ModTime()) && now.Size() == d.of.Size():
		return nil
	}
	users, err := Read(d.file)
	if err != nil {
		d.of = nil
		return err
	}
	d.read, d.of = users, now
	return nil
}

// Change changes the users of these names in the file, in one step, while no other process does.
func (d *Directory) Change(edit func(Users) error, names ...string) error {
	for _, name := range names {
		if _, fixed := d.fixed[name]; fixed {
			return &FixedUserError{Name: name}
		}
	}
	release, err := durable.Exclusive(d.file+".lock", 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	users, err := Read(d.file)
	if err != nil {
		return err
	}
	if err := edit(users); err != nil {
		return err
	}
	return users.Write(d.file)
}

// FixedUserError is a user that was named when the server was started, and cannot be changed.
type FixedUserError struct{ Name string }

func (e *FixedUserError) Error() string {
	return fmt.Sprintf("user %q was given by 'penstock serve --user': it can only be changed there", e.Name)
}
