package backend

import "context"

// Authenticator checks logins.
type Authenticator interface {
	// Authenticate fails when the credentials do not let the client in. Else it returns the user's
	// name; empty, if it did not ask for one. Schemes are "none" and "basic", and whatever else a
	// client may try.
	Authenticate(ctx context.Context, scheme, user, password string) (name string, err error)
}
