package admin

import (
	"github.com/penstock-db/penstock/internal/server/auth"
	"github.com/penstock-db/penstock/internal/server/backend"
)

// alterUser is ALTER USER.
type alterUser struct {
	name     operand
	tolerant bool // IF EXISTS
	password operand
	expired  bool // CHANGE REQUIRED
}

func (s alterUser) run(by call) (*backend.Table, error) {
	read := by.operands()
	name, hash := read.text(s.name), read.hash(s.password)
	if read.err != nil {
		return nil, read.err
	}
	return done(), by.changeUser(name, s.tolerant, func(users auth.Users, user auth.User) error {
		user.Hash, user.Expired = hash, s.expired
		return users.Add(name, user)
	})
}

// changeUser changes a user. Where there is none it fails, unless tolerant.
func (by call) changeUser(name string, tolerant bool, change func(auth.Users, auth.User) error) error {
	return by.Users.Change(func(users auth.Users) error {
		user, err := users.Find(name)
		if err != nil && tolerant {
			return nil
		}
		if err != nil {
			return err
		}
		return change(users, user)
	}, name)
}
