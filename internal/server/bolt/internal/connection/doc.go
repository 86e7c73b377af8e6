// Package connection accepts the connections of clients and bounds how many there are:
//
//	listener ─Accept─▶ Registry.Enter ─▶ serve: handshake, session ─▶ Registry.Leave
//	                                        └ Login, Logoff: which user has the connection
//
// Connections that have not logged in give way to new ones, so clients that connect and stay silent do not keep others
// out. TLS is the listener's.
package connection
