package auth

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
)

// Role is what a user may do. Each has the rights of those before it.
type Role uint8

// The roles. Zero is none.
const (
	Reader Role = iota + 1 // reads, and runs algorithms that write nothing
	Writer                 // also changes data, indexes and constraints
	Admin                  // also administers users, and sees to all graphs
)

var roleNames = []string{"", "reader", "writer", "admin"}

// Roles are the names of all roles.
func Roles() []string { return roleNames[1:] }

func (r Role) String() string { return roleNames[r] }

// ParseRole reads the name of a role, whatever the case.
func ParseRole(name string) (Role, error) {
	for role := Reader; role <= Admin; role++ {
		if strings.EqualFold(name, role.String()) {
			return role, nil
		}
	}
	return 0, &RoleError{Text: name, Why: "there are " + strings.Join(Roles(), ", ")}
}

// RoleError is a text that names no role, or a role where it cannot be.
type RoleError struct{ Text, Why string }

func (e *RoleError) Error() string { return fmt.Sprintf("role %q: %s", e.Text, e.Why) }

// Grant is a role on a graph.
type Grant struct {
	Role  Role
	Graph string // empty: all graphs, also those to come
}

// NewGrant refuses a role that there cannot be on one graph.
func NewGrant(role Role, graph string) (Grant, error) {
	if role == Admin && graph != "" {
		return Grant{}, &RoleError{Text: role.String(), Why: "it is for all graphs, and cannot be granted on one"}
	}
	return Grant{Role: role, Graph: graph}, nil
}

// String is how the users file has it: reader, or reader@air.
func (g Grant) String() string {
	if g.Graph == "" {
		return g.Role.String()
	}
	return g.Role.String() + "@" + url.QueryEscape(g.Graph)
}

// ParseGrant reads what String gives.
func ParseGrant(text string) (Grant, error) {
	name, escaped, onGraph := strings.Cut(text, "@")
	role, err := ParseRole(name)
	if err != nil {
		return Grant{}, err
	}
	graph, err := url.QueryUnescape(escaped)
	if err != nil || onGraph && graph == "" {
		return Grant{}, &RoleError{Text: text, Why: "write role, or role@graph"}
	}
	return NewGrant(role, graph)
}

// compareGrants sorts grants by graph, those on all graphs first.
func compareGrants(a, b Grant) int {
	return cmp.Or(strings.Compare(a.Graph, b.Graph), cmp.Compare(a.Role, b.Role))
}
