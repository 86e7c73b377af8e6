package auth

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// User is a user of a server.
type User struct {
	Hash Hash
	// Grants are the user's roles. Without any, a user may log in and change the password.
	Grants []Grant
	// Expired passwords must be changed before anything else.
	Expired bool
}

// RoleOn is the highest role that the user has on a graph; 0: none.
func (u User) RoleOn(graph string) Role {
	var highest Role
	for _, g := range u.Grants {
		if g.Graph == "" || g.Graph == graph {
			highest = max(highest, g.Role)
		}
	}
	return highest
}

// IsAdmin tells whether the user may administer others.
func (u User) IsAdmin() bool { return slices.Contains(u.Grants, Grant{Role: Admin}) }

// SeesAll tells whether no graph is hidden from the user.
func (u User) SeesAll() bool {
	return slices.ContainsFunc(u.Grants, func(g Grant) bool { return g.Graph == "" })
}

// OnlyGraph is the graph on which the user has all roles that the user has; empty: there are several, or none.
func (u User) OnlyGraph() string {
	if len(u.Grants) == 0 || slices.ContainsFunc(u.Grants, func(g Grant) bool { return g.Graph != u.Grants[0].Graph }) {
		return ""
	}
	return u.Grants[0].Graph
}

// Granted is the user with one more grant.
func (u User) Granted(g Grant) User {
	if !slices.Contains(u.Grants, g) {
		u.Grants = append(slices.Clone(u.Grants), g)
		slices.SortFunc(u.Grants, compareGrants)
	}
	return u
}

// Revoked is the user without a role on a graph; without a graph it is taken on all of them, also
// where it was granted on one alone. What the user did not have is no error, unless the role is
// granted on all graphs and is to go on one.
func (u User) Revoked(g Grant) (User, error) {
	if g.Graph != "" && slices.Contains(u.Grants, Grant{Role: g.Role}) {
		return u, &RoleError{Text: g.Role.String(), Why: "it is granted on all graphs: revoke it there, and grant it on those that are to remain"}
	}
	u.Grants = slices.DeleteFunc(slices.Clone(u.Grants), func(has Grant) bool {
		return has.Role == g.Role && (g.Graph == "" || has.Graph == g.Graph)
	})
	return u, nil
}

const expiredMark = "change-password"

// line is the user in the users file: name:hash:roles, and a mark if the password is expired.
func (u User) line(name string) string {
	grants := make([]string, len(u.Grants))
	for i, g := range u.Grants {
		grants[i] = g.String()
	}
	line := fmt.Sprintf("%s:%s:%s", name, u.Hash, strings.Join(grants, ","))
	if u.Expired {
		line += ":" + expiredMark
	}
	return line
}

// parseLine reads what line gives. A line without roles is of a time when there were none: such
// a user had all rights, and is an admin.
func parseLine(line string) (name string, u User, err error) {
	parts := strings.Split(line, ":")
	switch {
	case len(parts) < 2:
		return "", u, errors.New("a line is name:hash:roles")
	case len(parts) > 4, len(parts) == 4 && parts[3] != expiredMark:
		return "", u, fmt.Errorf("after the roles there can only be %s", expiredMark)
	}
	if err := checkName(parts[0]); err != nil {
		return "", u, err
	}
	if u.Hash, err = ParseHash(parts[1]); err != nil {
		return "", u, err
	}
	u.Expired = len(parts) == 4
	if len(parts) == 2 {
		return parts[0], u.Granted(Grant{Role: Admin}), nil
	}
	for text := range strings.SplitSeq(parts[2], ",") {
		if text == "" {
			continue
		}
		g, err := ParseGrant(text)
		if err != nil {
			return "", u, err
		}
		u = u.Granted(g)
	}
	return parts[0], u, nil
}

// ParseFlag reads name:password, which has all rights, or a line of the users file.
func ParseFlag(text string) (name string, u User, err error) {
	name, rest, ok := strings.Cut(text, ":")
	if !ok {
		return "", u, errors.New("write name:password, or name:hash:roles")
	}
	if strings.HasPrefix(rest, "$argon2id$") {
		return parseLine(text)
	}
	if rest == "" {
		return "", u, errors.New("the password is empty")
	}
	return name, User{Hash: HashOf(rest)}.Granted(Grant{Role: Admin}), checkName(name)
}

// NameError is a name that a file could not keep.
type NameError struct{ Name string }

func (e *NameError) Error() string {
	return fmt.Sprintf(
		"%q cannot be a user's name: it must be of 1 to 64 bytes, without colons, spaces and control characters", e.Name)
}

func checkName(name string) error {
	unfit := func(r rune) bool { return r <= ' ' || r == ':' || r == 0x7F }
	if name == "" || len(name) > 64 || strings.ContainsFunc(name, unfit) {
		return &NameError{Name: name}
	}
	return nil
}
