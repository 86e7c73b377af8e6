// Package centrality defines algorithms that say how much a vertex counts:
//
//	by what comes along edges    PageRank, PageRankDelta, PersonalizedPageRank, UnscaledPageRank, ArticleRank,
//	                             Eigenvector, Katz, Degree, Adsorption, HITS
//	by shortest paths            Betweenness, Closeness, Harmonic
//	by what spreads by chance    CELF
package centrality
