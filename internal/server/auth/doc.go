// Package auth authenticates the users of a server and knows what each of them may do.
//
//	users file ─Directory─▶ Users ─▶ Guard.Authenticate   a login, slowed by Throttle
//	                              └▶ User.RoleOn(graph)    what a user may do with a graph
//
// Users lie in a file of the database's directory, a line each, with the hash of the password and
// the roles. No password is kept. The file is read again when it has changed, so a command or a
// statement that changes it takes effect at once.
package auth
