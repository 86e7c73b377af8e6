// Package drawn makes what the suite of package plugintest draws from its seed.
//
//	graphs.go     random graphs and those of awkward shape; count.go: how many of them
//	cut.go        the edges of a graph in two parts
//	arguments.go  arguments for an algorithm of the catalog on a graph
//	generator.go  random programs; text.go shows one to a reader
package drawn
