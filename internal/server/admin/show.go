package admin

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/auth"
	"github.com/penstock-db/penstock/internal/server/backend"
)

// What SHOW shows.
type (
	showUsers       struct{}
	showCurrentUser struct{}
	showRoles       struct{}
	showPrivileges  struct{}
)

func (showUsers) run(by call) (*backend.Table, error) {
	users, err := by.Users.Users()
	if err != nil {
		return nil, err
	}
	t := &backend.Table{Names: userColumns, Kind: "r"}
	for _, name := range users.Names() {
		t.Rows = append(t.Rows, userRow(name, users[name]))
	}
	return t, nil
}

func (showCurrentUser) run(by call) (*backend.Table, error) {
	user, err := by.Users.Find(by.name)
	return &backend.Table{Names: userColumns, Kind: "r", Rows: [][]value.Value{userRow(by.name, user)}}, err
}

var userColumns = []string{"user", "roles", "passwordChangeRequired", "suspended", "home"}

func userRow(name string, user auth.User) []value.Value {
	roles := make([]value.Value, len(user.Grants))
	for i, g := range user.Grants {
		roles[i] = value.OfString(g.String())
	}
	return []value.Value{value.OfString(name), value.OfList(roles), value.OfBool(user.Expired), value.OfBool(false), {}}
}

func (showRoles) run(call) (*backend.Table, error) {
	t := &backend.Table{Names: []string{"role"}, Kind: "r"}
	for _, role := range auth.Roles() {
		t.Rows = append(t.Rows, []value.Value{value.OfString(role)})
	}
	return t, nil
}

// run has a row for each grant.
func (showPrivileges) run(by call) (*backend.Table, error) {
	users, err := by.Users.Users()
	if err != nil {
		return nil, err
	}
	t := &backend.Table{Names: []string{"access", "action", "graph", "role", "user"}, Kind: "r"}
	for _, name := range users.Names() {
		for _, g := range users[name].Grants {
			graph := g.Graph
			if graph == "" {
				graph = "*"
			}
			row := []string{"GRANTED", actions[g.Role], graph, g.Role.String(), name}
			t.Rows = append(t.Rows, rowOf(row))
		}
	}
	return t, nil
}

var actions = map[auth.Role]string{auth.Reader: "read", auth.Writer: "write", auth.Admin: "admin"}

func rowOf(texts []string) []value.Value {
	row := make([]value.Value, len(texts))
	for i, s := range texts {
		row[i] = value.OfString(s)
	}
	return row
}
