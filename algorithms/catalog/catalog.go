package catalog

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/centrality"
	"github.com/penstock-db/penstock/algorithms/community"
	"github.com/penstock-db/penstock/algorithms/components"
	"github.com/penstock-db/penstock/algorithms/embedding"
	"github.com/penstock-db/penstock/algorithms/paths"
	"github.com/penstock-db/penstock/algorithms/similarity"
	"github.com/penstock-db/penstock/algorithms/structure"
)

// All is the catalog that is built in: the vertex programs, then the procedures.
func All() algorithms.Catalog {
	return algorithms.Catalog{
		centrality.PageRank, centrality.PageRankDelta, centrality.PersonalizedPageRank, centrality.UnscaledPageRank,
		centrality.ArticleRank, centrality.Eigenvector, centrality.Katz, centrality.Degree,
		paths.NumPaths, centrality.Adsorption, paths.BFS, paths.SSSP, components.WCC,
		paths.WidestPath, paths.NarrowestPath, paths.MinReliability, paths.MaxReliability, paths.MaxCost, paths.Reachability,
		community.CDLP, community.LabelPropagation, structure.LCC, structure.Triangles, structure.KCore, components.SCC,
		centrality.Betweenness, community.Louvain, community.Leiden, community.Modularity, community.Conductance,
		centrality.Closeness, centrality.Harmonic, centrality.HITS, components.ArticulationPoints, components.Bridges,
		components.BiconnectedComponents, community.K1Coloring, paths.SpanningForest, structure.KTruss,
		paths.TopologicalSort, paths.LongestPath, embedding.FastRP,
		structure.Motifs, structure.RichClub, structure.Diameter, structure.Eccentricity,
		paths.ShortestPaths, paths.AllPairs, paths.MaxFlow, paths.SteinerTree, community.SLPA, structure.EgoNetwork,
		similarity.NodeSimilarity, similarity.LinkPrediction, similarity.KNN, community.KMeans,
		embedding.RandomWalk, embedding.Node2Vec, embedding.HashGNN,
		centrality.CELF,
	}
}

// Lookup finds an algorithm of All by its name or an alias. It fails with an *algorithms.UnknownAlgorithmError.
func Lookup(name string) (*algorithms.Algorithm, error) { return All().Lookup(name) }
