package algorithm

import (
	"context"
	"math"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/algorithm/histogram"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// summed is a column of stats, write and mutate: how the run went, and what sums its result up.
type summed struct {
	procedure.Field
	of func(Result, configured) value.Value
}

func fieldsOf(all []summed) (fields []procedure.Field) {
	for _, s := range all {
		fields = append(fields, s.Field)
	}
	return fields
}

// valuesOf are the values of the columns that are wanted, of which these come first; null of others.
func valuesOf(ctx context.Context, all []summed, result Result, request configured) []value.Value {
	row := make([]value.Value, len(all))
	for i, s := range all {
		if procedure.Wanted(ctx, i) {
			row[i] = s.of(result, request)
		}
	}
	return row
}

// gdsFigures are columns by what our figures are called.
var gdsFigures = map[string]string{
	"components": "componentCount", "communities": "communityCount", "triangles": "globalTriangleCount",
	"biconnected components": "componentCount",
	"largest core number":    "degeneracy", "colors": "colorCount", "articulation points": "articulationPointCount",
	"pairs": "similarityPairs",
}

// gdsMeasures are columns by what our measures are called.
var gdsMeasures = map[string]string{"modularity": "modularity", "mean conductance": "averageConductance",
	"mean distance": "averageDistanceToCentroid", "mean silhouette": "averageSilhouette",
	"mean coefficient": "averageClusteringCoefficient", "total spread": "totalSpread"}

var gdsStats = []summed{
	{field("ranIterations", "INTEGER"), func(r Result, _ configured) value.Value {
		return value.OfInt(int64(r.Report().Iterations))
	}},
	{field("didConverge", "BOOLEAN"), func(r Result, _ configured) value.Value {
		return value.OfBool(r.Report().Converged)
	}},
	{field("preProcessingMillis", "FLOAT"), func(r Result, _ configured) value.Value {
		return value.OfFloat((r.Report().Seconds.Total - r.Report().Seconds.Compute) * 1e3)
	}},
	{field("computeMillis", "FLOAT"), func(r Result, _ configured) value.Value {
		return value.OfFloat(r.Report().Seconds.Compute * 1e3)
	}},
	{field("totalMillis", "FLOAT"), func(r Result, _ configured) value.Value {
		return value.OfFloat(r.Report().Seconds.Total * 1e3)
	}},
	{field("configuration", "MAP"), func(_ Result, request configured) value.Value { return request.given }},
}

// sums are the columns of the algorithm. An empty result has the same figures and measures as any other.
func (c call) sums() []summed {
	all := append([]summed{}, gdsStats...)
	if c.algorithm.Figures != nil {
		for i, figure := range c.algorithm.Figures(empty(c.algorithm)) {
			name := gdsFigures[figure.Name]
			if name == "" && c.form != nil && c.form.figures {
				name = joined(figure.Name, ' ')
			}
			if name != "" {
				all = append(all, summed{field(name, "INTEGER"), func(r Result, _ configured) value.Value {
					return value.OfInt(c.algorithm.Figures(r.Columns())[i].Value)
				}})
			}
		}
	}
	if c.algorithm.Measures != nil {
		for i, measure := range c.algorithm.Measures(empty(c.algorithm)) {
			named := procedure.Field{Name: gdsMeasures[measure.Name], Type: "FLOAT", Nullable: true}
			all = append(all, summed{named, func(r Result, _ configured) value.Value {
				if measures := c.algorithm.Measures(r.Columns()); i < len(measures) {
					return value.OfFloat(measures[i].Value)
				}
				return value.Value{} // of a column that the result has not for its parameters
			}})
		}
	}
	if name, of := c.distribution(); name != "" {
		took := time.Duration(0)
		all = append(all, summed{field(name, "MAP"), func(r Result, _ configured) value.Value {
			began := time.Now()
			defer func() { took = time.Since(began) }()
			return of(r.Columns())
		}}, summed{field("postProcessingMillis", "FLOAT"), func(Result, configured) value.Value {
			return value.OfFloat(took.Seconds() * 1e3)
		}})
	}
	if c.algorithm.Name == "knn" { // compares all
		all = append(all, summed{field("nodesCompared", "INTEGER"), nodeCount})
	}
	if c.form != nil {
		all = append(all, c.form.sums...)
	}
	return append(all, summed{field("nodeCount", "INTEGER"), nodeCount},
		summed{field("relationshipCount", "INTEGER"), func(r Result, _ configured) value.Value {
			return relationshipCount(r.Report().Edges, r.Directed())
		}})
}

// distribution is the column that tells how values are distributed, and how it is made; "": the algorithm has none.
func (c call) distribution() (name string, of func([]algorithms.Values) value.Value) {
	switch first := c.algorithm.Result[0]; {
	case c.groups():
		return "", nil
	case c.pairs():
		last := len(c.algorithm.Result) - 1
		return "similarityDistribution", func(columns []algorithms.Values) value.Value {
			var h histogram.Histogram
			for _, x := range columns[last].Floats {
				if !math.IsNaN(x) {
					h.Add(x)
				}
			}
			return h.Value()
		}
	case c.algorithm.Yield == "score" && first.Type == algorithms.Float:
		return "centralityDistribution", func(columns []algorithms.Values) value.Value {
			var h histogram.Histogram
			for _, x := range columns[0].Floats {
				h.Add(x)
			}
			return h.Value()
		}
	case c.algorithm.Yield == "communityId":
		return "communityDistribution", sizes
	case c.algorithm.Yield == "componentId":
		return "componentDistribution", sizes
	}
	return "", nil
}

// sizes tells how large groups are, whose names the first column has.
func sizes(columns []algorithms.Values) value.Value {
	members := map[int64]int{}
	for _, group := range columns[0].Ints {
		members[group]++
	}
	var h histogram.Histogram
	for _, n := range members {
		h.Add(float64(n))
	}
	return h.Value()
}

func nodeCount(r Result, _ configured) value.Value { return value.OfInt(int64(r.Report().Vertices)) }

// empty is a result of one vertex.
func empty(a *algorithms.Algorithm) (columns []algorithms.Values) {
	for _, column := range a.Result {
		columns = append(columns, algorithms.NewValues(column, 1))
	}
	return columns
}

// figures only tells how the run went, and sums its result up.
func (c call) figures(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	request, err := c.asked(ctx, g, request)
	if err != nil {
		return err
	}
	result, err := c.run(ctx, g, request)
	if err != nil {
		return err
	}
	defer result.Close()
	return yield(valuesOf(ctx, c.sums(), result, request))
}

// writtenFields are the columns of a mode that keeps properties or relationships.
func (c call) writtenFields(millis string) []procedure.Field {
	if c.form.relationships(c.algorithm) {
		return []procedure.Field{field(millis, "FLOAT"), field("relationshipsWritten", "INTEGER")}
	}
	return []procedure.Field{field(millis, "FLOAT"), field("nodePropertiesWritten", "INTEGER")}
}

// writeFigures keeps the result as a property, too.
func (c call) writeFigures(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	request, err := c.asked(ctx, g, request)
	if err != nil {
		return err
	}
	result, took, err := c.written(ctx, g, request)
	if err != nil {
		return err
	}
	defer result.Close()
	return yield(append(valuesOf(ctx, c.sums(), result, request), value.OfFloat(took.Seconds()*1e3),
		c.form.given(result, request)))
}
