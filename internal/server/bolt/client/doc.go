// Package client speaks Bolt 5.4 to a server. A Client is a database as package backend has it, so the shell and the
// commands that go to a server use it as they use an open one:
//
//	Dial ─▶ Client ─Begin, Run─▶ result: rows are fetched as they are read, some at a time
package client
