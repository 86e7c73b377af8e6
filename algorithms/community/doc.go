// Package community defines algorithms that part the vertices into groups, or judge groups:
//
//	labels that spread    CDLP, LabelPropagation, SLPA
//	modularity            Louvain, Leiden, Modularity; and Conductance
//	vectors               KMeans
//	neighbors apart       K1Coloring
package community
