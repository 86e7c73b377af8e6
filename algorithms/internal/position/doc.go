// Package position finds where vertices stand in a graph, by their ids.
package position
