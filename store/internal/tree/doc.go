// Package tree is the keys of a database and their values: a Tree as it is at one moment. It knows Badger, and the rest
// of the store knows it through this package.
//
//	Badger ─transaction─▶ Tree ◀── FileTree ◀─ package lsm: files that are read without Badger
//
// badger.go opens Badger with options that suit few large values. sync.go and synced.go make commits last and notice
// lost ones, generations.go gives out numbers. finishlog.go and discard.go write what Badger's own files need and
// pointer.go reads where Badger keeps a value: these depend on how Badger works inside.
package tree
