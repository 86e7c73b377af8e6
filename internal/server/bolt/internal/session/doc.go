// Package session answers the requests of one client, in the order in which they arrive.
//
//	message ─decode─▶ request ─▶ rule: is it allowed in this state? ─▶ steps ─▶ next state, metadata ─▶ SUCCESS
//	                                                                     └ error ─▶ FAILURE, then IGNORED until RESET
//
// What a session knows between two requests is its state: a value, which each step gets and returns. The Session
// itself is what does not change while it lasts: the connection, the inbox and the sender. Whatever ends a session,
// its transaction is rolled back and its results are closed before Serve returns.
package session
