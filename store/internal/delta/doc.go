// Package delta is what transactions have changed in a graph since its base snapshot, in
// memory and in many versions at once.
//
//	State ─Fork─▶ Draft ─writes─▶ Draft ─Conflict─▶ Changes ─Apply─▶ State
//	                                                  │ Append, Decode
//	                                                  ▼
//	                                                 log
//
// A State is one committed version and never changes: readers need no lock. A Draft is the
// version that one transaction is making. States share all that is the same in them (see
// Trie), so a version costs what its commit has changed, and one that nobody reads any more
// is the garbage collector's.
//
// Two transactions conflict when the second to commit has changed an entity whose record is
// not the one it began with. Lists of relationships are no part of a node's record, so that
// many may lead to the same node at once.
//
// Read on in trie.go (how versions share), draft.go (what a transaction does), conflict.go,
// codec.go (how changes are logged) and postings.go (how indexes find what has changed).
package delta
