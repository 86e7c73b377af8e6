package admin

import (
	"errors"
	"slices"

	"github.com/penstock-db/penstock/internal/server/auth"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
)

func (c *Commands) createUser(by call, s createUser) error {
	read := by.operands()
	name, hash := read.text(s.name), read.hash(s.password)
	if read.err != nil {
		return read.err
	}
	return c.Users.Change(func(users auth.Users) error {
		if _, there := users[name]; !there {
			return users.Add(name, auth.User{Hash: hash, Expired: s.expired})
		}
		if s.tolerant {
			return nil
		}
		return &status.Error{Status: invalid, Message: "there is a user " + name + " already"}
	}, name)
}

// changeUser changes one that there is, or is to be.
func (c *Commands) changeUser(name string, tolerant bool, change func(auth.Users, auth.User) error) error {
	return c.Users.Change(func(users auth.Users) error {
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

func (c *Commands) alterUser(by call, s alterUser) error {
	read := by.operands()
	name, hash := read.text(s.name), read.hash(s.password)
	if read.err != nil {
		return read.err
	}
	return c.changeUser(name, s.tolerant, func(users auth.Users, user auth.User) error {
		user.Hash, user.Expired = hash, s.expired
		return users.Add(name, user)
	})
}

// changePassword asks for the old one as a login does, so that guesses are slowed as there.
func (c *Commands) changePassword(by call, s changePassword) error {
	read := by.operands()
	old, hash := read.text(s.old), read.hash(s.new)
	if read.err != nil {
		return read.err
	}
	if _, err := c.Guard.Authenticate(by.ctx, backend.CallerOf(by.ctx).IP(), "basic", by.name, old); errors.Is(err,
		auth.ErrRefused) {
		return &status.Error{Status: invalid, Message: "the old password is wrong"}
	} else if err != nil {
		return err
	}
	return c.changeUser(by.name, false, func(users auth.Users, user auth.User) error {
		user.Hash, user.Expired = hash, false
		return users.Add(by.name, user)
	})
}

func (c *Commands) dropUser(by call, s dropUser) error {
	read := by.operands()
	name := read.text(s.name)
	if read.err != nil {
		return read.err
	}
	if name == by.name {
		return errYourself
	}
	return c.changeUser(name, s.tolerant, func(users auth.Users, _ auth.User) error {
		delete(users, name)
		return nil
	})
}

// errYourself keeps the last admin from going.
var errYourself = &status.Error{Status: invalid, Message: "you cannot remove yourself, or your role admin: another admin can"}

func (c *Commands) changeRoles(by call, s changeRoles) error {
	read := by.operands()
	names, graphs := read.texts(s.users), read.texts(s.graphs)
	if read.err != nil {
		return read.err
	}
	if slices.Contains(graphs, "") {
		return &status.Error{Status: invalid, Message: "a graph's name is empty"}
	}
	if len(graphs) == 0 {
		graphs = []string{""}
	}
	if s.revoke && slices.Contains(names, by.name) && slices.Contains(s.roles, auth.Admin) {
		return errYourself
	}
	return c.Users.Change(func(users auth.Users) error {
		for _, name := range names {
			user, err := users.Find(name)
			if err == nil {
				user, err = s.apply(user, graphs)
			}
			if err == nil {
				err = users.Add(name, user)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}, names...)
}

// apply grants or revokes each role on each graph.
func (s changeRoles) apply(user auth.User, graphs []string) (auth.User, error) {
	for _, role := range s.roles {
		for _, graph := range graphs {
			grant, err := auth.NewGrant(role, graph)
			if err != nil {
				return user, err
			}
			if !s.revoke {
				user = user.Granted(grant)
			} else if user, err = user.Revoked(grant); err != nil {
				return user, err
			}
		}
	}
	return user, nil
}
