package admin

import (
	"slices"

	"github.com/penstock-db/penstock/internal/server/auth"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
)

// changeRoles is GRANT ROLE, or REVOKE ROLE.
type changeRoles struct {
	revoke bool
	roles  []auth.Role
	graphs []operand // none: all graphs
	users  []operand
}

func (s changeRoles) run(by call) (*backend.Table, error) {
	read := by.operands()
	names, graphs := read.texts(s.users), read.texts(s.graphs)
	if read.err != nil {
		return nil, read.err
	}
	if slices.Contains(graphs, "") {
		return nil, &status.Error{Status: invalid, Message: "a graph's name is empty"}
	}
	if len(graphs) == 0 {
		graphs = []string{""}
	}
	if s.revoke && slices.Contains(names, by.name) && slices.Contains(s.roles, auth.Admin) {
		return nil, errYourself
	}
	return done(), by.Users.Change(func(users auth.Users) error {
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
