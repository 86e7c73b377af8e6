// Package wire cuts messages into chunks and puts them together again, as the Bolt protocol frames them:
//
//	conn ─chunks─▶ Reader ─▶ message
//	message ─▶ Writer ─chunks─▶ conn
//
// What a message means is not known here.
package wire
