package auth

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"sync"
)

// Users are those who may come in, by name.
type Users struct {
	decoy Hash          // for who is nobody: that takes as long
	turns chan struct{} // of hashing, which takes memory

	mu     sync.Mutex // for byName
	byName map[string]Hash
}

// NewUsers has no user yet.
func NewUsers() *Users {
	return &Users{decoy: HashOf(""), turns: make(chan struct{}, runtime.GOMAXPROCS(0)), byName: make(map[string]Hash)}
}

// ErrRefused is that a name or its password is wrong; it does not tell which.
var ErrRefused = errors.New("the name or the password is wrong")

// Authenticate lets users in who know their password. It takes as long for others.
func (u *Users) Authenticate(ctx context.Context, scheme, name, password string) error {
	if scheme != "basic" {
		return &SchemeError{Scheme: scheme}
	}
	select {
	case u.turns <- struct{}{}:
		defer func() { <-u.turns }()
	case <-ctx.Done():
		return ctx.Err()
	}
	hash, known := u.find(name)
	if matches := hash.matches(password); !matches || !known {
		return ErrRefused
	}
	return nil
}

func (u *Users) find(name string) (hash Hash, known bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if hash, known = u.byName[name]; known {
		return hash, true
	}
	return u.decoy, false
}

// Set gives a user a password; it makes the user when there is none.
func (u *Users) Set(name string, hash Hash) error {
	if err := checkName(name); err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.byName[name] = hash
	return nil
}

// Remove tells whether there was such a user.
func (u *Users) Remove(name string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, known := u.byName[name]
	delete(u.byName, name)
	return known
}

// Names of the users, ascending.
func (u *Users) Names() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Sorted(maps.Keys(u.byName))
}

// SchemeError is a client that does not log in by name and password.
type SchemeError struct{ Scheme string }

func (e *SchemeError) Error() string {
	if e.Scheme == "none" || e.Scheme == "" {
		return "this server asks for a name and a password"
	}
	return "this server asks for a name and a password; it does not know the scheme " + e.Scheme
}
