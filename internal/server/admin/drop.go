package admin

import (
	"github.com/penstock-db/penstock/internal/server/auth"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
)

// dropUser is DROP USER.
type dropUser struct {
	name     operand
	tolerant bool // IF EXISTS
}

func (s dropUser) run(by call) (*backend.Table, error) {
	read := by.operands()
	name := read.text(s.name)
	if read.err != nil {
		return nil, read.err
	}
	if name == by.name {
		return nil, errYourself
	}
	return done(), by.changeUser(name, s.tolerant, func(users auth.Users, _ auth.User) error {
		delete(users, name)
		return nil
	})
}

// errYourself keeps the last admin from going.
var errYourself = &status.Error{Status: invalid, Message: "you cannot remove yourself, or your role admin: another admin can"}
