// Package memory keeps what a process holds for its clients under one bound.
//
//	Pool, --memory
//	 ├── Account of a connection's statements: rows, groups, lists, answers, runs
//	 ├── Account of a connection's messages, within a Share for all messages
//	 └── …
//
// Bytes are taken from the pool before they are allocated, and given back when they are let go.
// Each account has Allowance bytes of its own that are not the pool's: small statements and
// messages never wait. What all accounts have taken beyond that never exceeds the limit.
//
// When there is no room, a request waits:
//
//  1. Accounts that hold memory come first, by age: only who ends gives something back. The
//     others follow in the order of their requests.
//  2. When two accounts or more hold memory and all of them wait, none can end. The youngest
//     is refused at once.
//  3. Nobody waits longer than the pool's patience. Then the request is refused.
//
// So a request ends in bounded time, and a refusal tells that the same may work later.
package memory
