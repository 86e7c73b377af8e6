// Package bolt serves a database to Neo4j's drivers by the Bolt protocol, versions 5.0 to 5.4
// and 4.4.
//
// A connection has two goroutines. One reads: it puts messages together from their chunks and
// into a queue, and tells at once of what cannot wait, a RESET or the end of the connection, by
// canceling the context that statements run in. The other is the session: it takes requests
// from the queue, runs them, and writes the answers.
//
//	conn ─chunks─▶ listen ─queue─▶ session ─Database─▶ rows ─writer─chunks─▶ conn
//	                 └── RESET, end of file: cancel ──▲
//
// Rows are asked of the Result only as the client asks for them and takes them: a slow client
// holds back its own query and nobody else's. Whatever ends a session, its transaction is
// rolled back and its results are closed before serving it returns.
package bolt
