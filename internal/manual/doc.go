// Package manual tells what algorithms are, by what they say of themselves:
//
//	algorithms.Catalog ─────────────────────┐
//	query/algorithm.Procedures ─────────────┼─▶ Page ──▶ docs/catalog.md
//	comments of algorithms/*.go ─▶ Definitions ┘
package manual
