// Package paths defines algorithms of paths, orders, flows and trees:
//
//	from one vertex to all     BFS, SSSP, WidestPath, NarrowestPath, MinReliability, MaxReliability, MaxCost,
//	                           Reachability, NumPaths
//	between some vertices      ShortestPaths, AllPairs, MaxFlow
//	of acyclic graphs          TopologicalSort, LongestPath
//	trees                      SpanningForest, SteinerTree
package paths
