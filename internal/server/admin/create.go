package admin

import (
	"github.com/penstock-db/penstock/internal/server/auth"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
)

// createUser is CREATE USER.
type createUser struct {
	name     operand
	tolerant bool // IF NOT EXISTS
	password operand
	expired  bool // CHANGE REQUIRED
}

func (s createUser) run(by call) (*backend.Table, error) {
	read := by.operands()
	name, hash := read.text(s.name), read.hash(s.password)
	if read.err != nil {
		return nil, read.err
	}
	return done(), by.Users.Change(func(users auth.Users) error {
		if _, there := users[name]; !there {
			return users.Add(name, auth.User{Hash: hash, Expired: s.expired})
		}
		if s.tolerant {
			return nil
		}
		return &status.Error{Status: invalid, Message: "there is a user " + name + " already"}
	}, name)
}
