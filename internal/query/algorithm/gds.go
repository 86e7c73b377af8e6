package algorithm

import (
	"context"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// gdsNames are what Neo4j's Graph Data Science library calls algorithms that come to the same as ours. Others that it
// has as well give out something else there, as paths.
var gdsNames = map[string][]string{
	"pagerank": {"pageRank"}, "article-rank": {"articleRank"}, "betweenness": {"betweenness"}, "closeness": {"closeness"},
	"harmonic": {"closeness.harmonic"}, "degree": {"degree"}, "eigenvector": {"eigenvector"}, "wcc": {"wcc"}, "scc": {"scc"},
	"label-propagation": {"labelPropagation"}, "lcc": {"localClusteringCoefficient"}, "triangles": {"triangleCount"}, "k-core": {"kcore"},
	"louvain": {"louvain"}, "leiden": {"leiden"}, "modularity": {"modularity"}, "conductance": {"conductance"},
	"k1-coloring": {"k1coloring"}, "fastrp": {"fastRP"},
	"node-similarity": {"nodeSimilarity"}, "random-walk": {"randomWalk"}, "node2vec": {"node2vec"}, "knn": {"knn"},
	"kmeans": {"kmeans"}, "hashgnn": {"hashgnn"},
	"shortest-paths": {"shortestPath.dijkstra", "shortestPath.astar", "shortestPath.yens"},
	"all-pairs":      {"allShortestPaths"},
}

// gdsFigures are columns of stats and write, by what our figures are called.
var gdsFigures = map[string]string{
	"components": "componentCount", "communities": "communityCount", "triangles": "globalTriangleCount",
	"largest core number": "degeneracy", "colors": "colorCount",
	"pairs": "similarityPairs",
}

// compatible are procedures that statements written for GDS can call: the first argument is the name of a projection
// (see projections) or of the graph, and nodes are numbers.
//
//	CALL gds.louvain.stream('friends', {gamma: 0.8}) YIELD nodeId, communityId RETURN gds.util.asNode(nodeId).name, communityId
func (c call) compatible() (all []*procedure.Procedure) {
	for _, name := range gdsNames[c.algorithm.Name] {
		all = append(all, c.named(name)...)
	}
	return all
}

// named are those that GDS calls by this name.
func (c call) named(name string) []*procedure.Procedure {
	figures := c.figureFields()
	wrote := append(append([]procedure.Field{}, figures...), field("nodePropertiesWritten", "INTEGER"))
	all := []*procedure.Procedure{
		c.procedure(".stream", c.numberedFields(), c.numbered), c.procedure(".stats", figures, c.figures),
		c.procedure(".estimate", gdsNeeds, c.estimateMemory),
	}
	if !c.paths() || c.table() {
		all = append(all, writing(c.procedure(".write", wrote, c.writeFigures)))
	}
	for _, p := range all {
		p.Name = "gds." + name + p.Name[strings.LastIndex(p.Name, "."):]
		p.Description += " (as Neo4j GDS has it)"
		p.Arguments = append([]procedure.Field{{Name: "graphName", Type: "STRING"}}, p.Arguments...)
		if p.Writes && (c.pairs() || c.table()) {
			p.Call = c.refuseRelationships(p.Name)
		}
	}
	return all
}

// numberedFields are what GDS calls the columns of a result.
func (c call) numberedFields() []procedure.Field {
	fields := c.streamed()
	number := func(name string) procedure.Field { return field(name, "INTEGER") }
	switch {
	case c.pairs() && c.table():
		return append([]procedure.Field{number("sourceNodeId"), number("targetNodeId")}, fields[2:]...)
	case c.pairs():
		return append([]procedure.Field{number("node1"), number("node2")}, fields[2:]...)
	case c.paths() && c.table():
		return []procedure.Field{fields[0], number("sourceNode"), number("targetNode"), fields[3],
			field("nodeIds", "LIST"), fields[5], fields[6]}
	case c.paths():
		return []procedure.Field{field("nodeIds", "LIST")}
	case c.groups():
		return fields
	}
	return append([]procedure.Field{number("nodeId")}, fields[1:]...)
}

// refuseRelationships says how pairs become relationships, and paths, which GDS writes: statements do that.
func (c call) refuseRelationships(gds string) func(context.Context, procedure.Graph, []value.Value,
	func([]value.Value) error) error {
	fields := c.streamed()
	ends, score, kept := []string{fields[0].Name, fields[1].Name}, fields[2].Name, ""
	switch {
	case c.paths():
		ends, score = []string{fields[1].Name, fields[2].Name}, fields[3].Name
	case !c.table():
		kept = fmt.Sprintf("; algo.%s.write({writeProperty: …}) keeps lists at nodes", Name(c.algorithm))
	}
	kind := map[bool]string{true: "PATH", false: "SIMILAR"}[c.table()]
	return func(context.Context, procedure.Graph, []value.Value, func([]value.Value) error) error {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue",
			"%s writes no relationships: let the statement do it, CALL algo.%s({…}) YIELD %[3]s, %[4]s, %[5]s CREATE (%[3]s)-[:%[6]s {score: %[5]s}]->(%[4]s)%[7]s",
			gds, Name(c.algorithm), ends[0], ends[1], score, kind, kept)
	}
}

// numbered is stream with the numbers of nodes.
func (c call) numbered(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	return c.stream(ctx, g, request, func(row []value.Value) error {
		for i := range row {
			switch {
			case row[i].Kind() == value.Node:
				row[i] = value.OfInt(int64(row[i].ID()))
			case c.paths() && row[i].Kind() == value.List:
				for k, node := range row[i].List() {
					if node.Kind() == value.Node {
						row[i].List()[k] = value.OfInt(int64(node.ID()))
					}
				}
			}
		}
		if c.paths() && !c.table() {
			return yield(row[1:]) // where a walk begins is its first node
		}
		return yield(row)
	})
}

var gdsStats = []procedure.Field{
	field("ranIterations", "INTEGER"), field("didConverge", "BOOLEAN"), field("computeMillis", "FLOAT"),
	field("totalMillis", "FLOAT"),
}

// figureFields are how the run went, and what sums the result up.
func (c call) figureFields() []procedure.Field {
	fields := append([]procedure.Field{}, gdsStats...)
	for _, name := range c.figureNames() {
		fields = append(fields, field(gdsFigures[name], "INTEGER"))
	}
	for _, name := range c.measureNames() {
		fields = append(fields, field(gdsMeasures[name], "FLOAT"))
	}
	if c.groups() { // GDS tells what has been measured
		fields = append(fields, field("nodeCount", "INTEGER"), field("relationshipCount", "INTEGER"))
	}
	return fields
}

// gdsMeasures are columns of stats and write, by what our measures are called.
var gdsMeasures = map[string]string{"modularity": "modularity", "mean conductance": "averageConductance",
	"mean distance": "averageDistance"}

// measureNames are the measures of the algorithm. An empty result has the same as any other.
func (c call) measureNames() (names []string) {
	if c.algorithm.Measures == nil {
		return nil
	}
	for _, measure := range c.algorithm.Measures(c.empty()) {
		names = append(names, measure.Name)
	}
	return names
}

// empty is a result of one vertex.
func (c call) empty() (columns []algorithms.Values) {
	for _, column := range c.algorithm.Result {
		columns = append(columns, algorithms.NewValues(column, 1))
	}
	return columns
}

// figureNames are those figures of the algorithm that GDS has a name for. An empty result has the same as any other.
func (c call) figureNames() (names []string) {
	if c.algorithm.Figures == nil {
		return nil
	}
	for _, figure := range c.algorithm.Figures(c.empty()) {
		if gdsFigures[figure.Name] != "" {
			names = append(names, figure.Name)
		}
	}
	return names
}

// summed are the values of figureFields.
func (c call) summed(result Result) []value.Value {
	r := result.Report()
	row := []value.Value{value.OfInt(int64(r.Iterations)), value.OfBool(r.Converged),
		value.OfFloat(r.Seconds.Compute * 1e3), value.OfFloat(r.Seconds.Total * 1e3)}
	values := map[string]int64{}
	if c.algorithm.Figures != nil {
		for _, figure := range c.algorithm.Figures(result.Columns()) {
			values[figure.Name] = figure.Value
		}
	}
	for _, name := range c.figureNames() {
		row = append(row, value.OfInt(values[name]))
	}
	if c.algorithm.Measures != nil {
		for _, measure := range c.algorithm.Measures(result.Columns()) {
			row = append(row, value.OfFloat(measure.Value))
		}
	}
	if c.groups() {
		row = append(row, value.OfInt(int64(r.Vertices)), value.OfInt(int64(r.Edges)))
	}
	return row
}

// figures only tells how the run went, and sums its result up.
func (c call) figures(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	result, err := c.run(ctx, g, request)
	if err != nil {
		return err
	}
	defer result.Close()
	return yield(c.summed(result))
}

// writeFigures keeps the result as a property, too.
func (c call) writeFigures(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	result, err := c.written(ctx, g, request)
	if err != nil {
		return err
	}
	defer result.Close()
	return yield(append(c.summed(result), value.OfInt(int64(result.Columns()[0].Vertices()))))
}

var gdsNeeds = []procedure.Field{
	field("requiredMemory", "STRING"), field("bytesMin", "INTEGER"), field("bytesMax", "INTEGER"),
}

// estimateMemory tells what a run would take on the device: at the least, and with the whole graph at once.
func (c call) estimateMemory(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	n, err := c.runner.Estimate(ctx, g.Name(), request.part, request.Request)
	if err != nil {
		return err
	}
	least, most := humanize.IBytes(n.Minimum), humanize.IBytes(n.Resident)
	return yield([]value.Value{value.OfString("[" + least + " ... " + most + "]"), value.OfInt(int64(n.Minimum)),
		value.OfInt(int64(n.Resident))})
}
