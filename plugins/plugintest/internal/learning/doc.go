// Package learning tests procedures that learn rows of vertices from edges. These are two extensions, learns and
// workers.
//
//	learns.go       a lesson, and matrix factorization by steps; clocks.go: with a timeline; cuts.go: with the graph cut
//	                otherwise
//	alternation.go  factorization by alternating least squares; preferences.go: of implicit feedback
//	regression.go   weights of a logistic loss, with one penalty or the other
//	topics.go       topics of documents, by Gibbs sampling
//	workers.go      all of these by several processes together
package learning
