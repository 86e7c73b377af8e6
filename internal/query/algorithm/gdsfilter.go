package algorithm

import (
	"context"
	"slices"
	"strings"

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
