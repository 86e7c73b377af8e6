// Package bolt serves a database to Neo4j's drivers by the Bolt protocol, versions 5.0 to 5.4
// and 4.4.
//
// A connection has two goroutines. One is its inbox: it puts messages together from their chunks and
// into a queue, and tells at once of what cannot wait, a RESET or the end of the connection, by
// canceling the context that statements run in. The other is the session: it takes requests
// from the queue, runs them, and writes the answers.
//
//	listener ─connection─▶ handshake ─▶ session
//	conn ─wire─▶ inbox ─message─▶ session ─transaction─▶ backend.Database ─rows─▶ cursor ─message, wire─▶ conn
//	               └── RESET, end of file: cancel ──▲
//
// Each of these steps is a package under internal. Package client is the other side of the protocol.
package bolt
