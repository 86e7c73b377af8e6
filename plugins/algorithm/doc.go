// Package algorithm makes a plugin of algorithms: each is a definition and a function. The package does the rest of the
// contract (package plugins), by way of the kit.
//
//	func main() { algorithm.Serve(algorithm.Plugin{Name: "mine", Version: "1.0.0", Algorithms: all}) }
//
// There are two kinds. Compute has the whole graph, with random access by vertex; it runs where the graph fits the
// memory that the plugin may use. Passes are given each vertex' list, one pass after the other, and keep what they know
// of the vertices; they run where not even the graph fits.
//
//	Definition ──Describe──▶ host: algorithms, run, estimate, CALL, Go                       plugin.go
//	chunks ──index──▶ Graph: Out(v), In(v) ──Compute──▶ result columns                       graph.go, index.go
//	chunks ──one after the other──▶ Visit(v, list) … End ──again, or done──▶ result columns  passes.go
//	loops over vertices, by several goroutines                                               parallel.go
package algorithm
