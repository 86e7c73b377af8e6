package algorithm

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/community"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// Options of groups, which a form has for those that GDS has it for.
const (
	consecutiveIDs = "consecutiveIds"
	levelsToo      = "includeIntermediateCommunities"
	seeds          = "seedproperty"
)

// grouped is a form of nodes in groups: `consecutiveIds` numbers these from 0, and those with fewer nodes than the
// option smallest says, if there is one, are neither given out nor written.
func grouped(name, yields, smallest string) form {
	options := []string{consecutiveIDs}
	if smallest != "" {
		options = append(options, smallest)
	}
	return form{
		name: name, options: lower(options),
		columns: []procedure.Field{field("nodeId", "INTEGER"), field(yields, "ANY")},
		prepare: func(_ context.Context, _ call, _ procedure.Graph, request *configured) error {
			return request.grouping(smallest)
		},
		finish: consecutive,
		rows: func(ctx context.Context, _ procedure.Graph, result Result, request configured,
			yield func([]value.Value) error) error {
			return groupRows(ctx, result, request.atLeast(smallest), result.Columns()[:1], yield)
		},
		properties: func(result Result, name string, request configured) []algorithms.Values {
			return []algorithms.Values{ofLarge(result, result.Columns()[0], name, request.atLeast(smallest))}
		},
		counts: func(result Result, request configured) (nodes int64) {
			is := large(result, request.atLeast(smallest))
			for i := range result.Columns()[0].Ints {
				if is(i) {
					nodes++
				}
			}
			return nodes
		},
	}
}

// leveled is a form of communities that are found level by level, of which there are ten at most by default, and no
// more than that can be told of. Levels are told of in a list of each node, and summed up.
func leveled(name string) form {
	f := grouped(name, "communityId", "minCommunitySize")
	f.options = append(f.options, strings.ToLower(levelsToo))
	f.without = []string{"intermediate"}
	f.columns = append(f.columns, procedure.Field{Name: "intermediateCommunityIds", Type: "LIST", Nullable: true})
	prepare, rows, properties := f.prepare, f.rows, f.properties
	f.prepare = func(ctx context.Context, c call, g procedure.Graph, request *configured) error {
		if err := prepare(ctx, c, g, request); err != nil {
			return err
		}
		boundLevels(request)
		if request.truth(levelsToo) {
			tellLevels(request)
		}
		return nil
	}
	f.rows = func(ctx context.Context, g procedure.Graph, result Result, request configured,
		yield func([]value.Value) error) error {
		if request.truth(levelsToo) {
			columns := []algorithms.Values{result.Columns()[0], levelsOf(result, "communities")}
			return groupRows(ctx, result, request.atLeast("minCommunitySize"), columns, yield)
		}
		return rows(ctx, g, result, request, func(row []value.Value) error { return yield(append(row, value.Value{})) })
	}
	f.properties = func(result Result, name string, request configured) []algorithms.Values {
		if request.truth(levelsToo) {
			levels := levelsOf(result, "communities")
			return []algorithms.Values{ofLarge(result, levels, name, request.atLeast("minCommunitySize"))}
		}
		return properties(result, name, request)
	}
	f.sums = []summed{
		{field("ranLevels", "INTEGER"), func(result Result, _ configured) value.Value {
			return value.OfInt(int64(len(modularities(result))))
		}},
		{field("modularities", "LIST"), func(result Result, _ configured) value.Value {
			return value.OfList(listOf(modularities(result), value.OfFloat))
		}},
	}
	f.asks = map[string]func(context.Context, call, procedure.Graph, *configured) error{
		"ranLevels": askLevels, "modularities": askLevels}
	return f
}

// componentsForm is grouped, with components that are called by the least of what their nodes have as seeds or, where
// these have none, as numbers above all seeds. A seed changes no component.
func componentsForm() form {
	f := grouped("wcc", "componentId", "minComponentSize")
	f.options = append(f.options, seeds)
	prepare, finish := f.prepare, f.finish
	f.prepare = func(ctx context.Context, c call, g procedure.Graph, request *configured) error {
		if request.Params["threshold"] != "" && request.Params["weight"] == "" {
			return fault.Met(fault.ArgumentError, "InvalidArgumentValue",
				"threshold: of which weights? The configuration lacks relationshipWeightProperty")
		}
		if err := prepare(ctx, c, g, request); err != nil {
			return err
		}
		return request.readSeeds(ctx, c, g)
	}
	f.finish = func(ctx context.Context, result Result, request configured) (Result, error) {
		if request.seeds != nil {
			return seeded(result, request.seeds)
		}
		return finish(ctx, result, request)
	}
	return f
}

// seed is the group that a node begins in; community.NoSeed: in one of its own.
type seed struct {
	node uint64
	of   int64
}

// readSeeds reads the property of seeds. They are of the snapshot that the algorithm runs on, or the call fails.
func (r *configured) readSeeds(ctx context.Context, c call, g procedure.Graph) error {
	v := r.options[seeds]
	if v.IsNull() {
		return nil
	}
	wrong := func(what string) error {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "seedProperty: %s", what)
	}
	if v.Kind() != value.String {
		return wrong("expected the name of a property")
	}
	r.seeds = []seed{}
	return failed(c.runner.NodeValues(ctx, g.Name(), r.part, v.Str(), func(node uint64, v value.Value) error {
		of := community.NoSeed
		switch {
		case v.Kind() == value.Int:
			of = v.Int()
		case v.Kind() == value.Float && v.Float() == math.Trunc(v.Float()) && math.Abs(v.Float()) < 1<<53:
			of = int64(v.Float())
		case !v.IsNull():
			return wrong("node " + strconv.FormatUint(node, 10) + " has " + v.Text() + "; expected a whole number")
		}
		r.seeds = append(r.seeds, seed{node, of})
		return nil
	}))
}

// seeded calls each group by the least label that one of its nodes begins with.
func seeded(result Result, all []seed) (Result, error) {
	columns, ids, of := slices.Clone(result.Columns()), make([]int64, len(all)), make([]int64, len(all))
	changed := len(all) != len(columns[0].Ints)
	for i, one := range all {
		if changed = changed || result.Node(i) != one.node; changed {
			break
		}
		ids[i], of[i] = int64(one.node), one.of
	}
	if changed {
		return nil, fault.Met(fault.Conflict, "Conflict", "the graph was changed since the statement began: try again")
	}
	labels, err := community.FirstLabels(ids, of)
	if err != nil {
		return nil, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "seedProperty: %s", err)
	}
	least := map[int64]int64{}
	for i, group := range columns[0].Ints {
		if name, known := least[group]; !known || labels[i] < name {
			least[group] = labels[i]
		}
	}
	groups := algorithms.NewValues(algorithms.Column{Name: columns[0].Name, Type: algorithms.Int}, len(labels))
	for i, group := range columns[0].Ints {
		groups.Ints[i] = least[group]
	}
	columns[0] = groups
	return renumbered{result, columns}, nil
}

// mostLevels are as many as can be told of.
const mostLevels = 64

func boundLevels(request *configured) {
	if request.Params["levels"] == "" {
		request.Params["levels"] = "10"
	}
	if levels, err := strconv.ParseUint(request.Params["levels"], 10, 64); err == nil && levels > mostLevels {
		request.Params["levels"] = strconv.Itoa(mostLevels)
	}
}

// tellLevels has the result tell of each level.
func tellLevels(request *configured) { request.Params["intermediate"] = request.Params["levels"] }

func askLevels(_ context.Context, _ call, _ procedure.Graph, request *configured) error {
	tellLevels(request)
	return nil
}

// levelsOf is a column that tells of levels, which somebody has asked for.
func levelsOf(result Result, name string) algorithms.Values {
	columns := result.Columns()
	return columns[slices.IndexFunc(columns, func(c algorithms.Values) bool { return c.Name == name })]
}

// modularities are those of levels: what nodes have of each together.
func modularities(result Result) (all []float64) {
	shares := levelsOf(result, "modularities")
	for level := 0; level < shares.Len() && level < shares.Each && !math.IsNaN(shares.Floats[level]); level++ {
		q := 0.0
		for i := level; i < len(shares.Floats); i += shares.Each {
			q += shares.Floats[i]
		}
		all = append(all, q)
	}
	return all
}

// grouping fails where options of groups are not what they should be, or do not go together.
func (r configured) grouping(smallest string) error {
	wrong := func(name, what string) error {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "%s: %s", name, what)
	}
	for _, name := range []string{consecutiveIDs, levelsToo} {
		if v := r.options[strings.ToLower(name)]; !v.IsNull() && v.Kind() != value.Bool {
			return wrong(name, "expected true or false")
		}
	}
	if v := r.options[strings.ToLower(smallest)]; !v.IsNull() && (v.Kind() != value.Int || v.Int() < 0) {
		return wrong(smallest, "expected a whole number of 0 or more")
	}
	switch {
	case !r.truth(consecutiveIDs):
	case r.Params["seedProperty"] != "" || r.option(seeds, "") != "":
		return wrong(consecutiveIDs, "seedProperty keeps the ids that nodes have: leave out one of the two")
	case r.truth(levelsToo):
		return wrong(consecutiveIDs, "ids of levels are none: leave out it, or "+levelsToo)
	}
	return nil
}

// truth is an option that grouping has accepted.
func (r configured) truth(name string) bool {
	v := r.options[strings.ToLower(name)]
	return v.Kind() == value.Bool && v.Bool()
}

// atLeast is how many nodes a group needs, by an option that grouping has accepted.
func (r configured) atLeast(name string) int64 {
	if v := r.options[strings.ToLower(name)]; v.Kind() == value.Int {
		return v.Int()
	}
	return 0
}

func lower(names []string) (all []string) {
	for _, name := range names {
		all = append(all, strings.ToLower(name))
	}
	return all
}

// renumbered is a result whose groups have other numbers.
type renumbered struct {
	Result
	columns []algorithms.Values
}

func (r renumbered) Columns() []algorithms.Values { return r.columns }

// consecutive numbers groups from 0, in the order of their first nodes, if that is asked for.
func consecutive(_ context.Context, result Result, request configured) (Result, error) {
	if !request.truth(consecutiveIDs) {
		return result, nil
	}
	columns, number := slices.Clone(result.Columns()), map[int64]int64{}
	groups := algorithms.NewValues(algorithms.Column{Name: columns[0].Name, Type: algorithms.Int}, len(columns[0].Ints))
	for i, name := range columns[0].Ints {
		if _, known := number[name]; !known {
			number[name] = int64(len(number))
		}
		groups.Ints[i] = number[name]
	}
	columns[0] = groups
	return renumbered{result, columns}, nil
}

// large tells which nodes are in a group of so many.
func large(result Result, atLeast int64) func(i int) bool {
	groups, members := result.Columns()[0].Ints, map[int64]int64{}
	if atLeast > 1 {
		for _, name := range groups {
			members[name]++
		}
	}
	return func(i int) bool { return atLeast <= 1 || members[groups[i]] >= atLeast }
}

// ofLarge is a column under a name, without what belongs to nodes in groups that are too small.
func ofLarge(result Result, column algorithms.Values, name string, atLeast int64) algorithms.Values {
	column.Name = name
	if atLeast <= 1 {
		return column
	}
	column.Ints = slices.Clone(column.Ints)
	is := large(result, atLeast)
	for i := range column.Ints {
		if !is(i / column.Per()) {
			column.Ints[i] = algorithms.Unreached
		}
	}
	return column
}

// groupRows gives out the nodes in groups that are large enough, with their values in columns.
func groupRows(ctx context.Context, result Result, atLeast int64, columns []algorithms.Values,
	yield func([]value.Value) error) error {
	is := large(result, atLeast)
	for i := range columns[0].Ints {
		if !is(i) {
			continue
		}
		row := []value.Value{numberOf(result, i)}
		for _, column := range columns {
			v, err := result.Value(ctx, column, i)
			if err != nil {
				return err
			}
			row = append(row, v)
		}
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}
