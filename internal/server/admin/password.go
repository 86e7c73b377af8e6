package admin

import (
	"errors"

	"github.com/penstock-db/penstock/internal/server/auth"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
)

// changePassword is ALTER CURRENT USER.
type changePassword struct{ old, new operand }

// run asks for the old password as a login does, so that guesses are slowed as there.
func (s changePassword) run(by call) (*backend.Table, error) {
	read := by.operands()
	old, hash := read.text(s.old), read.hash(s.new)
	if read.err != nil {
		return nil, read.err
	}
	if _, err := by.Guard.Authenticate(by.ctx, backend.CallerOf(by.ctx).IP(), "basic", by.name, old); errors.Is(err,
		auth.ErrRefused) {
		return nil, &status.Error{Status: invalid, Message: "the old password is wrong"}
	} else if err != nil {
		return nil, err
	}
	return done(), by.changeUser(by.name, false, func(users auth.Users, user auth.User) error {
		user.Hash, user.Expired = hash, false
		return users.Add(by.name, user)
	})
}
