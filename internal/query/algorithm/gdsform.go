package algorithm

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// form is how GDS calls an algorithm of ours, takes its parameters and gives out what it finds. What a form does not
// tell is as ours is, with the numbers of nodes.
type form struct {
	name  string   // behind "gds."
	modes []string // that it has; nil: all
	// Parameters, in lower case where GDS names them:
	fixed      map[string]string // those of ours that have a value here
	spelled    []spelling        // beside spellings
	without    []string          // those of ours that it has not
	requires   []string          // those of ours that must be given, though ours need not be
	ignored    []string          // those that change no result
	iterations string            // how many there are, where neither they nor a tolerance are given; empty: as ours
	options    []string          // those that finish, rows and properties read
	// prepare makes the request what options ask for, on a projection.
	prepare func(ctx context.Context, c call, g procedure.Graph, request *configured) error
	// finish makes the result what GDS has for it, before it is given out or kept.
	finish  func(ctx context.Context, result Result, request configured) (Result, error)
	columns []procedure.Field // of a stream
	rows    rows
	sums    []summed // columns of its own, of stats, write and mutate
	// properties are what is kept, under its full names; nil: all columns.
	properties func(result Result, name string, request configured) []algorithms.Values
	counts     func(result Result, request configured) int64 // nodes that are given these; nil: all
	// asks, by the columns of sums: has a request, or its result, tell what they tell of.
	asks  map[string]func(ctx context.Context, c call, g procedure.Graph, request *configured) error
	links bool // the result is relationships that are written: a tree
	// figures: stats, write and mutate have all that sums the result up, also what GDS has no name for.
	figures bool
}

// rows gives out a stream.
type rows func(ctx context.Context, g procedure.Graph, result Result, request configured,
	yield func([]value.Value) error) error

// has tells whether there is a mode.
func (f *form) has(mode string) bool { return f.modes == nil || slices.Contains(f.modes, mode) }

// forms are by our names of algorithms. Algorithms with another name than GDS's that come to the same have one with a
// name alone. Others that GDS has as well give out something else there.
var forms = map[string][]form{
	"unscaled-pagerank":      {{name: "pageRank", iterations: "20", options: []string{"scaler"}, finish: scaled}},
	"article-rank":           {{name: "articleRank", options: []string{"scaler"}, finish: scaled}},
	"eigenvector":            {{name: "eigenvector", iterations: "20", options: []string{"scaler"}, finish: scaled}},
	"betweenness":            {{name: "betweenness"}},
	"closeness":              {{name: "closeness"}},
	"harmonic":               {{name: "closeness.harmonic"}},
	"degree":                 {{name: "degree"}},
	"hits":                   {hitsForm},
	"wcc":                    {componentsForm()},
	"scc":                    {grouped("scc", "componentId", "")},
	"label-propagation":      {grouped("labelPropagation", "communityId", "minCommunitySize")},
	"lcc":                    {{name: "localClusteringCoefficient"}},
	"triangles":              {{name: "triangleCount"}},
	"k-core":                 {{name: "kcore"}},
	"louvain":                {leveled("louvain"), optimizationForm},
	"leiden":                 {leveled("leiden")},
	"modularity":             {{name: "modularity"}},
	"conductance":            {{name: "conductance"}},
	"k1-coloring":            {{name: "k1coloring", ignored: []string{"batchsize", "maxiterations"}}}, // it always ends
	"bridges":                {bridgesForm},
	"articulation-points":    {articulationForm},
	"biconnected-components": {biconnectedForm},
	"celf":                   {influenceForm},
	"fastrp":                 {{name: "fastRP"}},
	"node-similarity": {comparing(form{name: "nodeSimilarity", without: filters}),
		comparing(filtered("nodeSimilarity.filtered"))},
	"random-walk": {{name: "randomWalk"}},
	"node2vec":    {{name: "node2vec", ignored: []string{"walkbuffersize"}}},
	"knn":         {{name: "knn", without: filters}, filtered("knn.filtered", "seedtargetnodes")},
	"kmeans":      {{name: "kmeans"}},
	"hashgnn":     {{name: "hashgnn"}},
	"shortest-paths": {
		{name: "shortestPath.dijkstra", requires: []string{"target"}},
		{name: "shortestPath.astar", requires: []string{"target"}},
		{name: "shortestPath.yens", requires: []string{"target"}},
		{name: "allShortestPaths.dijkstra", without: toAll},
		{name: "allShortestPaths.delta", without: toAll, ignored: []string{"delta"}},
	},
	"all-pairs":        {{name: "allShortestPaths"}},
	"spanning-forest":  {spanningForm},
	"steiner-tree":     {steinerForm},
	"topological-sort": {orderForm},
	"longest-path":     {longestForm},
	"katz":             {ours("katz")},
	"slpa":             {ours("slpa")},
	"k-truss":          {ours("kTruss")},
	"motifs":           {ours("motifs")},
	"rich-club":        {ours("richClub")},
	"diameter":         {ours("diameter")},
	"eccentricity":     {ours("eccentricity")},
	"ego-network":      {ours("egoNetwork")},
	"link-prediction":  {ours("linkPrediction")},
	"max-flow":         {ours("minCut"), flowForm},
}

// ours is the form of an algorithm that GDS has not, or not under this name, for those who call all alike.
func ours(name string) form { return form{name: name, figures: true} }

// flowForm tells how much flows. Along which relationships, as GDS streams it, ours does not tell.
var flowForm = form{
	name: "maxFlow", modes: []string{".stats"},
	spelled: []spelling{{"capacityProperty", "weight"}, {"sourceNodes", "source"}, {"targetNodes", "target"}},
	sums: []summed{{field("totalFlow", "FLOAT"), func(result Result, _ configured) value.Value {
		flow := 0.0
		for _, cut := range result.Columns()[1].Floats {
			flow += cut
		}
		return value.OfFloat(flow)
	}}},
}

// toAll are parameters that the paths from one node to all others have not.
var toAll = []string{"target", "k", "latitude", "longitude", "x", "y"}

// only keeps one mode.
var only = []string{".stream"}

// shaped is the result of a run as GDS has it.
func (f *form) shaped(ctx context.Context, result Result, request configured) (Result, error) {
	if f == nil || f.finish == nil {
		return result, nil
	}
	as, err := f.finish(ctx, result, request)
	if err != nil {
		result.Close()
		return nil, err
	}
	return as, nil
}

// kept are the columns that are kept as properties, whose full names they have.
func (f *form) kept(result Result, name string, request configured) []algorithms.Values {
	if f == nil || f.properties == nil {
		return nil
	}
	return f.properties(result, name, request)
}

// asked is a request that tells, itself or its result, what the columns tell of that are wanted.
func (c call) asked(ctx context.Context, g procedure.Graph, request configured) (configured, error) {
	for i, column := range c.sums() {
		if ask := c.form.asks[column.Name]; ask != nil && procedure.Wanted(ctx, i) {
			if err := ask(ctx, c, g, &request); err != nil {
				return request, err
			}
		}
	}
	return request, nil
}

// given is how many nodes are given properties.
func (f *form) given(result Result, request configured) value.Value {
	if f.counts != nil {
		return value.OfInt(f.counts(result, request))
	}
	return value.OfInt(int64(result.Columns()[0].Vertices()))
}
