// Package backend is what a protocol serves: a Database with transactions and results, commands about the server
// itself, and the Caller for which both are used.
//
//	session ─▶ Command    SHOW TRANSACTIONS, CREATE USER …
//	        └▶ Database ─▶ Transaction ─▶ Result: rows, then a Summary
//
// The same interfaces stand before a database and behind a connection to one, and what lies between, such as rights
// and the audit log, implements them too.
package backend
