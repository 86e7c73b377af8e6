package algorithm

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// filters are the parameters that name properties; GDS names nodes.
var filters = []string{"sourceFilter", "targetFilter"}

// filtered is a form of pairs that only some nodes have, or that are with some nodes alone: sourceNodeFilter and
// targetNodeFilter are a label, a node, its number, or a list of these. The nodes are marked by a property that the
// projection has for this call.
//
//	CALL gds.knn.filtered.stream('people', {nodeProperties: 'age', topK: 1, sourceNodeFilter: 'Vegan'}) YIELD node1, node2
func filtered(name string, more ...string) form {
	options := append([]string{"sourcenodefilter", "targetnodefilter"}, more...)
	return form{name: name, without: filters, options: options,
		prepare: func(ctx context.Context, c call, g procedure.Graph, request *configured) error {
			of := request.part
			for i, option := range []string{"sourceNodeFilter", "targetNodeFilter"} {
				chosen := request.options[strings.ToLower(option)]
				if chosen.IsNull() {
					continue
				}
				marks, err := marked(ctx, c, g, of, request.projection, value.Entry{Key: option, Value: chosen})
				if err != nil {
					return failed(err)
				}
				request.part.Added = append(slices.Clip(request.part.Added), marks)
				request.Params[filters[i]] = option
			}
			return fillUp(request)
		}}
}

// fillUp has seedTargetNodes fill up lists with whatever targets there are, above the cutoff or below.
func fillUp(request *configured) error {
	switch v := request.options["seedtargetnodes"]; {
	case v.IsNull():
	case v.Kind() != value.Bool:
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "seedTargetNodes: expected true or false")
	case v.Bool():
		request.Params["similarityCutoff"] = "-1"
	}
	return nil
}

// marked is a property of the nodes of a part: 1 of those that are chosen, 0 of others.
func marked(ctx context.Context, c call, g procedure.Graph, of store.Projection, projection string,
	chosen value.Entry) (marks store.AddedProperty, err error) {
	var numbers []nodeNumber
	if chosen.Value.Kind() == value.String {
		numbers, err = labeled(ctx, c, g, projection, chosen)
	} else if numbers, err = numbersBy(chosen); err != nil {
		err = fault.Met(fault.ArgumentError, "InvalidArgumentValue", "%s: expected a label, a node, its number, or a list of these",
			chosen.Key)
	}
	if err != nil {
		return marks, err
	}
	wanted := make(map[int64]nodeNumber, len(numbers))
	for _, number := range numbers {
		wanted[number.of] = number
	}
	marks.Name, marks.Numbers = chosen.Key, g.Numbers()
	err = c.runner.Nodes(ctx, g.Name(), of, func(node uint64) error {
		mark := int64(0)
		if _, is := wanted[int64(node)]; is {
			mark = 1
			delete(wanted, int64(node))
		}
		marks.Vertices, marks.Values = append(marks.Vertices, uint32(node)), append(marks.Values, value.OfInt(mark))
		return nil
	})
	for _, number := range numbers {
		if _, left := wanted[number.of]; left && err == nil && chosen.Value.Kind() != value.String {
			err = number.unknown()
		}
	}
	return marks, err
}

// labeled are the nodes of a projection that have a label.
func labeled(ctx context.Context, c call, g procedure.Graph, projection string, label value.Entry) (all []nodeNumber,
	err error) {
	of, err := c.projected.narrowed(g.Name(), projection, store.Projection{Labels: []string{label.Value.Str()}})
	if err != nil {
		return nil, err
	}
	err = c.runner.Nodes(ctx, g.Name(), of, func(node uint64) error {
		all = append(all, nodeNumber{label.Key, int64(node)})
		return nil
	})
	return all, err
}

// limited is a form of pairs with limits of GDS: of each node the topK of the highest similarities, or the bottomK of
// the lowest, and of these pairs the topN or bottomN of all.
//
//	CALL gds.nodeSimilarity.stream('people', {bottomK: 3, topN: 10}) YIELD node1, node2, similarity
func limited(f form) form {
	f.options = append(slices.Clip(f.options), "bottomk", "topn", "bottomn")
	f.without = append(slices.Clip(f.without), "order")
	f.ignored = append(slices.Clip(f.ignored), "usecomponents")
	prepare := f.prepare
	f.prepare = func(ctx context.Context, c call, g procedure.Graph, request *configured) error {
		if err := request.limit(); err != nil || prepare == nil {
			return err
		}
		return prepare(ctx, c, g, request)
	}
	f.finish = func(_ context.Context, result Result, request configured) (Result, error) {
		if most := request.atLeast("bottomN"); most > 0 {
			return newOutermost(result, most, true), nil
		}
		if most := request.atLeast("topN"); most > 0 {
			return newOutermost(result, most, false), nil
		}
		return result, nil
	}
	return f
}

// limit reads the limits, and fails where they are not what they should be, or do not go together.
func (r *configured) limit() error {
	wrong := func(name, what string) error {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "%s: %s", name, what)
	}
	least := map[string]int64{"bottomK": 1, "topN": 0, "bottomN": 0}
	for _, name := range []string{"bottomK", "topN", "bottomN"} {
		v := r.options[strings.ToLower(name)]
		if !v.IsNull() && (v.Kind() != value.Int || v.Int() < least[name] || v.Int() > algorithms.MaxWidth && name == "bottomK") {
			return wrong(name, "expected a whole number from "+strconv.FormatInt(least[name], 10)+" on")
		}
	}
	bottom := r.options["bottomk"]
	switch {
	case r.atLeast("topN") > 0 && r.atLeast("bottomN") > 0:
		return wrong("bottomN", "the lowest of all, or the highest: leave out it, or topN")
	case bottom.IsNull():
		return nil
	case r.Params["topK"] != "":
		return wrong("bottomK", "the lowest of a node, or the highest: leave out it, or topK")
	}
	r.Params["topK"], r.Params["order"] = bottom.Text(), "lowest"
	return nil
}

// outermost is a result of pairs of which so many are left, those with the highest scores or with the lowest; of the
// same score those that come first.
type outermost struct {
	renumbered
	left []bool // of each pair, in their order
}

func newOutermost(result Result, most int64, lowest bool) outermost {
	columns := slices.Clone(result.Columns())
	others, scores := columns[0], columns[1]
	var places []int // of pairs
	for i, other := range others.Ints {
		if other != algorithms.Unreached {
			places = append(places, i)
		}
	}
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := scores.Floats[places[a]], scores.Floats[places[b]]
		if lowest {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(y, x)
	})
	left := make([]bool, len(places))
	for _, i := range order[:min(most, int64(len(order)))] {
		left[i] = true
	}
	columns[0].Ints, columns[1].Floats = slices.Clone(others.Ints), slices.Clone(scores.Floats)
	for i, place := range places {
		if !left[i] {
			columns[0].Ints[place], columns[1].Floats[place] = algorithms.Unreached, math.NaN()
		}
	}
	return outermost{renumbered{result, columns}, left}
}

func (o outermost) Pairs(ctx context.Context, yield func(from, to uint64, score float64) error) error {
	i := 0
	return o.Result.Pairs(ctx, func(from, to uint64, score float64) error {
		i++
		if !o.left[i-1] {
			return nil
		}
		return yield(from, to, score)
	})
}

// comparing is limited, of node-similarity, which tells how many nodes it compares: those that pass the source filter
// and have as many neighbors as the cutoffs say.
func comparing(f form) form {
	f = limited(f)
	f.sums = []summed{{field("nodesCompared", "INTEGER"), func(_ Result, request configured) value.Value {
		return value.OfInt(request.compared)
	}}}
	f.asks = map[string]func(context.Context, call, procedure.Graph, *configured) error{"nodesCompared": askCompared}
	return f
}

// askCompared counts the nodes that are compared. It reads the relationships before the run.
func askCompared(ctx context.Context, c call, g procedure.Graph, request *configured) error {
	least, most := request.number("degreeCutoff", 1), request.number("upperDegreeCutoff", math.MaxInt32)
	n := neighbors{apart: least > 1 || most < math.MaxInt32}
	err := c.runner.Relationships(ctx, g.Name(), request.part, "", func(from, to uint64, _ string, _ value.Value) error {
		switch request.Params["orientation"] {
		case "reverse":
			return n.add(to, from)
		case "undirected":
			return errors.Join(n.add(from, to), n.add(to, from))
		}
		return n.add(from, to)
	})
	if err != nil {
		return err
	}
	named := func(a store.AddedProperty) bool { return a.Name == request.Params["sourceFilter"] }
	filter := slices.IndexFunc(request.part.Added, named)
	n.each(func(node uint32, degree int64) {
		if filter >= 0 {
			marks := request.part.Added[filter]
			if i, marked := slices.BinarySearch(marks.Vertices, node); !marked || marks.Values[i].Int() == 0 {
				return
			}
		}
		if degree >= least && degree <= most {
			request.compared++
		}
	})
	return nil
}

// number is a parameter that is a whole number. What is none is refused when the algorithm runs.
func (r *configured) number(name string, otherwise int64) int64 {
	if n, err := strconv.ParseInt(r.Params[name], 10, 64); err == nil {
		return n
	}
	return otherwise
}

// neighbors are those that nodes have, other than themselves: which nodes have any, or each neighbor apart.
type neighbors struct {
	apart bool
	any   []bool   // by node
	pairs []uint64 // a node, and a neighbor
}

func (n *neighbors) add(node, neighbor uint64) error {
	switch {
	case node == neighbor:
	case n.apart:
		n.pairs = append(n.pairs, node<<32|neighbor)
		return mayTake("counting nodesCompared", 8*int64(len(n.pairs)), "leave it out, YIELD similarityPairs")
	default:
		for uint64(len(n.any)) <= node {
			n.any = append(n.any, false)
		}
		n.any[node] = true
	}
	return nil
}

// each tells how many each node has that has any; 1 of all, where they are not apart.
func (n *neighbors) each(yield func(node uint32, degree int64)) {
	for node, any := range n.any {
		if any {
			yield(uint32(node), 1)
		}
	}
	slices.Sort(n.pairs)
	for all := slices.Compact(n.pairs); len(all) > 0; {
		degree := slices.IndexFunc(all, func(pair uint64) bool { return pair>>32 != all[0]>>32 })
		if degree < 0 {
			degree = len(all)
		}
		yield(uint32(all[0]>>32), int64(degree))
		all = all[degree:]
	}
}
