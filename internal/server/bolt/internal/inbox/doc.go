// Package inbox receives the messages of one client while a session answers them.
//
//	conn ─wire.Reader─▶ Listen ─queue─▶ Messages ─▶ session
//	                      └── RESET, end of file: the context of requests is canceled
//
// The queue is bounded by bytes. A RESET cancels what runs as soon as it arrives, and not only when its turn comes.
// Until the client has logged in, its messages must be small and come soon.
package inbox
