// Package auth says who may use a server. Users lie in a file of the database's directory, a
// line each: the name, a colon, and the hash of the password. No password is kept.
package auth
