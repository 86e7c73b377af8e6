// Package message encodes and decodes the messages of the Bolt protocol.
//
//	request ─▶ tag, Form.Decode ─▶ fields
//	rows, metadata, errors ─▶ Sender ─▶ wire.Writer
//
// A message is a structure: a tag and fields. Metadata of requests and answers are maps (entry.go); what a statement
// did is told by a Summary in such a map (summary.go). The client of this project reads what the server writes.
package message
