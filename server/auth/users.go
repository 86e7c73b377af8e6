package auth

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Users are those who may come in, by name.
type Users map[string]User

// Names of the users, ascending.
func (u Users) Names() []string { return slices.Sorted(maps.Keys(u)) }

// Find is the user of that name.
func (u Users) Find(name string) (User, error) {
	user, known := u[name]
	if !known {
		return User{}, &UnknownUserError{Name: name}
	}
	return user, nil
}

// Add makes a user known, or replaces the one of that name.
func (u Users) Add(name string, user User) error {
	if err := checkName(name); err != nil {
		return err
	}
	u[name] = user
	return nil
}

// UnknownUserError is a name that no user has.
type UnknownUserError struct{ Name string }

func (e *UnknownUserError) Error() string { return fmt.Sprintf("there is no user %q", e.Name) }

// File is where the users of a database lie.
func File(database string) string { return filepath.Join(database, "users") }

// Read reads users from a file. Without one there are none.
func Read(file string) (Users, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Users{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return parse(f, file)
}

func parse(from io.Reader, file string) (Users, error) {
	users := Users{}
	lines := bufio.NewScanner(from)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		name, user, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, number, err)
		}
		users[name] = user
	}
	return users, lines.Err()
}

// Write replaces the file, which nobody else may read, as a whole. After a crash it is the old
// one or the new.
func (u Users) Write(file string) error {
	temp, err := os.CreateTemp(filepath.Dir(file), ".users-") // has mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	for _, name := range u.Names() {
		if _, err := fmt.Fprintln(temp, u[name].line(name)); err != nil {
			return errors.Join(err, temp.Close())
		}
	}
	if err := errors.Join(temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), file); err != nil {
		return err
	}
	return syncDirectory(filepath.Dir(file))
}

func syncDirectory(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
