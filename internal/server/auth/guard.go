package auth

import (
	"context"
	"errors"
	"net/netip"
	"runtime"
	"sync"
)

// Mode is when a Guard requires a login.
type Mode uint8

// Modes of a Guard.
const (
	LoginRequired        Mode = iota // always
	LoginRequiredIfUsers             // as soon as there is a user; until then every client is an admin
	LoginDisabled                    // never: every client is an admin
)

// Guard lets users in.
type Guard struct {
	users    *Directory
	throttle *Throttle
	decoy    Hash          // of unknown users: looking at their passwords takes as long
	turns    chan struct{} // of hashing, which takes memory

	mu   sync.Mutex // for mode
	mode Mode
}

// NewGuard guards a server.
func NewGuard(users *Directory, throttle *Throttle, mode Mode) *Guard {
	return &Guard{users: users, throttle: throttle, decoy: HashOf(""), turns: make(chan struct{}, runtime.GOMAXPROCS(0)),
		mode: mode}
}

// ErrRefused is that a name or its password is wrong; it does not tell which.
var ErrRefused = errors.New("the name or the password is wrong")

// Authenticate lets users in who know their password, and returns the name; where no login is required, it is
// empty, whatever the client says. For unknown users it takes as long. Errors are ErrRefused,
// *SchemeError, *TooManyError, and those of reading the users.
func (g *Guard) Authenticate(ctx context.Context, from netip.Addr, scheme, name, password string) (string, error) {
	open, err := g.Open()
	if err != nil || open {
		return "", err
	}
	if scheme != "basic" {
		return "", &SchemeError{Scheme: scheme}
	}
	if err := g.throttle.delay(ctx, name); err != nil {
		return "", err
	}
	select {
	case g.turns <- struct{}{}:
		defer func() { <-g.turns }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	// It is checked when it is this attempt's turn, so that many at once cannot be faster than
	// failures are counted.
	if err := g.throttle.check(name, from); err != nil {
		return "", err
	}
	return name, g.compare(from, name, password)
}

func (g *Guard) compare(from netip.Addr, name, password string) error {
	user, err := g.users.Find(name)
	known := err == nil
	if !known {
		if !errors.As(err, new(*UnknownUserError)) {
			return err
		}
		user.Hash = g.decoy
	}
	if matches := user.Hash.matches(password); !matches || !known {
		g.throttle.failed(name, from)
		return ErrRefused
	}
	g.throttle.succeeded(name, from)
	return nil
}

// Open tells whether clients need no login. Once there have been users, a login stays required, also when the last of
// them is removed.
func (g *Guard) Open() (bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.mode != LoginRequiredIfUsers {
		return g.mode == LoginDisabled, nil
	}
	users, err := g.users.Users()
	if err != nil {
		return false, err
	}
	if len(users) > 0 {
		g.mode = LoginRequired
	}
	return g.mode == LoginRequiredIfUsers, nil
}

// Find is a user as of now.
func (g *Guard) Find(name string) (User, error) { return g.users.Find(name) }

// SchemeError is a client that does not log in by name and password.
type SchemeError struct{ Scheme string }

func (e *SchemeError) Error() string {
	if e.Scheme == "none" || e.Scheme == "" {
		return "this server asks for a name and a password"
	}
	return "this server asks for a name and a password; it does not know the scheme " + e.Scheme
}
