package auth

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File is where the users of a database lie.
func File(database string) string { return filepath.Join(database, "users") }

// Read reads users from a file. Without one there are none.
func Read(file string) (*Users, error) {
	users := NewUsers()
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return users, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for number := 1; lines.Scan(); number++ {
		if err := users.readLine(lines.Text()); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, number, err)
		}
	}
	return users, lines.Err()
}

func (u *Users) readLine(line string) error {
	if line = strings.TrimSpace(line); line == "" {
		return nil
	}
	name, text, _ := strings.Cut(line, ":")
	hash, err := ParseHash(text)
	if err != nil {
		return err
	}
	return u.Set(name, hash)
}

// Write replaces the file, which nobody else may read, as a whole.
func (u *Users) Write(file string) error {
	temp, err := os.CreateTemp(filepath.Dir(file), ".users-")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.WriteString(u.lines())
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), file)
}

func (u *Users) lines() string {
	var text strings.Builder
	for _, name := range u.Names() {
		hash, _ := u.find(name)
		fmt.Fprintf(&text, "%s:%s\n", name, hash)
	}
	return text.String()
}

// NameError is a name that a file could not keep.
type NameError struct{ Name string }

func (e *NameError) Error() string {
	return fmt.Sprintf("%q cannot be a user's name: it must be of 1 to 64 bytes, without colons, spaces and control characters", e.Name)
}

func checkName(name string) error {
	unfit := func(r rune) bool { return r <= ' ' || r == ':' || r == 0x7F }
	if name == "" || len(name) > 64 || strings.ContainsFunc(name, unfit) {
		return &NameError{Name: name}
	}
	return nil
}
