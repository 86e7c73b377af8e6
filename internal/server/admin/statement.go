// Package admin understands the statements that administer users, as Neo4j spells them:
//
//	SHOW USERS · SHOW CURRENT USER · SHOW ROLES · SHOW PRIVILEGES
//	CREATE USER name [IF NOT EXISTS] SET PASSWORD 'secret' [CHANGE [NOT] REQUIRED]
//	ALTER USER name [IF EXISTS] SET PASSWORD 'secret' [CHANGE [NOT] REQUIRED]
//	ALTER CURRENT USER SET PASSWORD FROM 'old' TO 'new'
//	DROP USER name [IF EXISTS]
//	GRANT ROLE reader, writer [ON GRAPH air, sea] TO ann, bob
//	REVOKE ROLE reader [ON GRAPH air] FROM ann
//
// Names and passwords may be parameters. Unlike Neo4j, which grants privileges to roles and has
// roles made, there are three roles, and ON GRAPH says where one of them holds.
package admin

import "github.com/penstock-db/penstock/internal/server/auth"

// statement is one that was understood.
type statement interface{ statement() }

// operand is a text in a statement, or the parameter that has it.
type operand struct {
	text      string
	parameter string // empty: text is given
}

type (
	showUsers       struct{}
	showCurrentUser struct{}
	showRoles       struct{}
	showPrivileges  struct{}

	createUser struct {
		name     operand
		tolerant bool // IF NOT EXISTS
		password operand
		expired  bool // CHANGE REQUIRED
	}
	alterUser struct {
		name     operand
		tolerant bool // IF EXISTS
		password operand
		expired  bool
	}
	changePassword struct{ old, new operand }
	dropUser       struct {
		name     operand
		tolerant bool // IF EXISTS
	}
	changeRoles struct {
		revoke bool
		roles  []auth.Role
		graphs []operand // none: all graphs
		users  []operand
	}
)

func (showUsers) statement()       {}
func (showCurrentUser) statement() {}
func (showRoles) statement()       {}
func (showPrivileges) statement()  {}
func (createUser) statement()      {}
func (alterUser) statement()       {}
func (changePassword) statement()  {}
func (dropUser) statement()        {}
func (changeRoles) statement()     {}
