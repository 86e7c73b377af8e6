// Package core finds the dense core of a graph: few vertices with many edges among them, which hardware for
// matrices takes whole, while lists suit the rest. It only counts and cuts; the host runs the two parts.
//
//	degrees ──Rank──▶ rank ─┐
//	                        ├─Survey─▶ options ──Forecast, by Rates──▶ a core ──Cut──▶ chunks: core, rest
//	chunks ─────────────────┘
//
// The core is a Set of vertices. An edge is the core's if both its ends are, else the rest's: each edge is
// in exactly one of the two parts.
package core
