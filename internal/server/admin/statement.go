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

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
)

// statement is one that was understood. Each kind has a file.
type statement interface {
	// run carries it out for a caller who has the right to.
	run(by call) (*backend.Table, error)
}

// call is who runs a statement, with which parameters, and what it is about.
type call struct {
	*Commands
	ctx    context.Context
	name   string // of the user
	params map[string]value.Value
}

// done is the result of what has no rows.
func done() *backend.Table { return &backend.Table{Kind: "s"} }
