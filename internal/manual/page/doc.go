// Package page makes the page of a catalog, docs/catalog.md:
//
//	algorithms.Catalog ─────────────────────────┐
//	query/algorithm.Procedures ─────────────────┼─▶ Of ──▶ Markdown
//	comments of algorithms/*/*.go ─▶ Definitions ┘
//
// No program of a user needs it, or the parser of Go that it brings.
package page
