// Package mega defines what is learned from bipartite graphs by programs of the MEGA model (Xiao et al., TuX²:
// Distributed Graph Computation for Machine Learning, NSDI'17). Each folder has one learner: what is minimized
// or sampled, parameters with defaults and checks, how a result is judged, and a plain implementation for one
// processor in double precision that faster ones are tested against.
//
//	mf      matrix factorization: ratings of items by users ──▶ factors and biases of both, by SGD or ALS
//	lda     topics: words of documents ──▶ topic mixtures of documents, word distributions of topics
//	linear  logistic regression: labels of samples, values of features ──▶ weights of features, by L2 or L1
//
// This package has the errors that they share.
package mega
