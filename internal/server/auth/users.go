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

	"github.com/penstock-db/penstock/internal/durable"
)

// Users are the users of a server, by name.
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

// Write replaces the file, which only its owner may read, as a whole.
func (u Users) Write(file string) error {
	var text strings.Builder
	for _, name := range u.Names() {
		text.WriteString(u[name].line(name) + "\n")
	}
	return durable.Replace(file, []byte(text.String()), 0o600)
}
