// Package auth says who may use a server, and what each user may do.
//
//	users file ─Directory─▶ Users ─▶ Guard.Authenticate   who comes in, slowed by Throttle
//	                              └▶ User.RoleOn(graph)    what a user may do with a graph
//
// Users lie in a file of the database's directory, a line each, with the hash of the password and
// the roles. No password is kept. The file is read again when it has changed, so a command or a
// statement that changes it takes effect at once.
package auth
