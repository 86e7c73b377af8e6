package algorithm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// drawing is gds.graph.project as a function of rows, each of which draws a relationship:
//
//	MATCH (a:Person)-[r:KNOWS]->(b:Person)
//	RETURN gds.graph.project('friends', a, b, {relationshipProperties: r {.since}}, {undirectedRelationshipTypes: ['*']})
//
// A row whose target is null draws a node alone.
type drawing struct {
	*projections
	g      procedure.Graph
	charge func(bytes int64) error
	began  time.Time

	name          string
	charged       int64
	places        map[uint32]uint32 // by dense id, in the order in which nodes were met
	nodes         []uint32          // their dense ids
	labels        []string          // of each; "": it has those of the graph
	properties    columns           // of each
	from, to      []uint32          // places of each relationship
	types         []string          // of each
	relationships columns           // properties of each
	undirected    []string          // types that lead both ways; "*": all
}

// drawnSignature is the arguments of a row.
const drawnSignature = "graphName :: STRING, sourceNode :: ANY, targetNode = null :: ANY, dataConfig = {} :: MAP, " +
	"configuration = {} :: MAP"

func (p *projections) draw(_ context.Context, g procedure.Graph, charge func(int64) error) procedure.Gathering {
	return &drawing{projections: p, g: g, charge: charge, began: time.Now(), places: map[uint32]uint32{}}
}

// What a node and a relationship take, about.
const nodeBytes, relationshipBytes = 64, 32

// Add draws a relationship.
func (d *drawing) Add(arguments []value.Value) error {
	if err := d.add(arguments); err != nil {
		var met *fault.Error
		if errors.As(err, &met) {
			return err
		}
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "gds.graph.project: %s", err)
	}
	return nil
}

func (d *drawing) add(arguments []value.Value) error {
	var target, data, configuration value.Value
	for i, to := range []*value.Value{&target, &data, &configuration} {
		if len(arguments) > i+2 {
			*to = arguments[i+2]
		}
	}
	if d.nodes == nil {
		if err := d.begin(arguments[0], configuration); err != nil {
			return err
		}
	}
	row, err := readRow(data)
	if err != nil {
		return err
	}
	from, err := d.node("the source", arguments[1], row.source)
	if err != nil || target.IsNull() {
		return err
	}
	to, err := d.node("the target", target, row.target)
	if err != nil {
		return err
	}
	if err := d.hold(relationshipBytes + 32*int64(len(row.properties))); err != nil {
		return err
	}
	d.from, d.to, d.types = append(d.from, from), append(d.to, to), append(d.types, row.typ)
	d.relationships.set(len(d.from)-1, row.properties)
	return nil
}

// hold charges bytes that the projection is to take.
func (d *drawing) hold(bytes int64) error {
	d.charged += bytes
	return d.charge(bytes)
}

// begin reads what is the same in all rows.
func (d *drawing) begin(name, configuration value.Value) (err error) {
	if d.name, err = wordOf(name); err != nil {
		return fmt.Errorf("graphName: %w", err)
	}
	if err := d.free(d.g.Name(), d.name); err != nil {
		return err
	}
	if configuration.IsNull() {
		return nil
	}
	if configuration.Kind() != value.Map {
		return fmt.Errorf("configuration: expected a map, not %s", configuration.Kind())
	}
	for _, option := range configuration.Map() {
		switch strings.ToLower(option.Key) {
		case "undirectedrelationshiptypes":
			if d.undirected, err = NamesOf(option.Value); err == nil && d.undirected == nil {
				d.undirected = []string{"*"}
			}
			if option.Value.Kind() == value.List && len(option.Value.List()) == 0 {
				d.undirected, err = nil, nil
			}
		case "inverseindexedrelationshiptypes", "readconcurrency", "jobid", "memory": // change no result
		default:
			err = errors.New("is not known; there are undirectedRelationshipTypes, inverseIndexedRelationshipTypes and readConcurrency")
		}
		if err != nil {
			return fmt.Errorf("configuration: %s: %w", option.Key, err)
		}
	}
	return nil
}

// drawnRow is what a row says beside its nodes.
type drawnRow struct {
	source, target drawnNode
	typ            string
	properties     []value.Entry
}

type drawnNode struct {
	labels     string // "": those of the graph
	properties []value.Entry
}

// readRow reads the map of a row.
func readRow(data value.Value) (row drawnRow, err error) {
	if data.IsNull() {
		return row, nil
	}
	if data.Kind() != value.Map {
		return row, fmt.Errorf("dataConfig: expected a map, not %s", data.Kind())
	}
	for _, e := range data.Map() {
		switch strings.ToLower(e.Key) {
		case "sourcenodelabels":
			row.source.labels, err = drawnLabels(e.Value)
		case "targetnodelabels":
			row.target.labels, err = drawnLabels(e.Value)
		case "sourcenodeproperties":
			row.source.properties, err = drawnProperties(e.Value)
		case "targetnodeproperties":
			row.target.properties, err = drawnProperties(e.Value)
		case "relationshiptype":
			if !e.Value.IsNull() {
				row.typ, err = wordOf(e.Value)
			}
		case "relationshipproperties", "properties":
			row.properties, err = drawnProperties(e.Value)
		default:
			err = errors.New("is not known; there are sourceNodeLabels, targetNodeLabels, sourceNodeProperties, targetNodeProperties, relationshipType and relationshipProperties")
		}
		if err != nil {
			return row, fmt.Errorf("%s: %w", e.Key, err)
		}
	}
	return row, nil
}

// drawnLabels reads 'Label', ['Label', …], or true: those that the node has.
func drawnLabels(v value.Value) (string, error) {
	switch {
	case v.IsNull(), v.Kind() == value.Bool, v.Kind() == value.List && len(v.List()) == 0:
		return "", nil
	}
	names, err := NamesOf(v)
	slices.Sort(names)
	return strings.Join(names, labelSeparator), err
}

const labelSeparator = ";" // formats.NodeBatch joins labels by it

// drawnProperties reads a map of numbers and lists of them.
func drawnProperties(v value.Value) ([]value.Entry, error) {
	if v.IsNull() {
		return nil, nil
	}
	if v.Kind() != value.Map {
		return nil, fmt.Errorf("expected a map of properties, as n {.age}, not %s", v.Kind())
	}
	for _, e := range v.Map() {
		if k := e.Value.Kind(); !e.Value.IsNull() && !e.Value.IsNumber() && k != value.List && k != value.Bool {
			return nil, fmt.Errorf("%s: expected a number or a list of numbers, not the %s %s", e.Key, k, e.Value.Text())
		}
	}
	return v.Map(), nil
}

// node is the place of a node, which has what the first row says of it.
func (d *drawing) node(which string, v value.Value, of drawnNode) (uint32, error) {
	if v.Kind() != value.Node {
		return 0, fmt.Errorf("%s is %s; expected a node", which, v.Text())
	}
	place, met := d.places[uint32(v.ID())]
	if met {
		return place, nil
	}
	bytes := nodeBytes + int64(len(of.labels))
	for _, e := range of.properties {
		bytes += e.Value.Size()
	}
	if err := d.hold(bytes); err != nil {
		return 0, err
	}
	place = uint32(len(d.nodes))
	d.places[uint32(v.ID())] = place
	d.nodes, d.labels = append(d.nodes, uint32(v.ID())), append(d.labels, of.labels)
	d.properties.set(int(place), of.properties)
	return place, nil
}

// Result gives what is drawn up its name.
func (d *drawing) Result() (value.Value, error) {
	if err := d.free(d.g.Name(), d.name); err != nil {
		return value.Value{}, err
	}
	of := store.Projection{Drawn: d.drawn()}
	for _, c := range d.properties.padded(len(d.nodes), d.ascending()) {
		of.Added = append(of.Added, store.AddedProperty{Column: c, Numbers: d.g.Numbers(), Vertices: of.Drawn.Vertices})
	}
	if err := d.keep(d.g.Name(), d.name, named{of, d.charged}); err != nil {
		return value.Value{}, err
	}
	return value.OfEntries([]value.Entry{{Key: "graphName", Value: value.OfString(d.name)},
		{Key: "nodeCount", Value: value.OfInt(int64(len(d.nodes)))},
		{Key: "relationshipCount", Value: relationshipCount(uint64(len(of.Drawn.From)), !of.Drawn.Undirected)},
		{Key: "projectMillis", Value: value.OfInt(time.Since(d.began).Milliseconds())}}), nil
}

// ascending are the places of nodes in the order of their dense ids.
func (d *drawing) ascending() []uint32 {
	order := make([]uint32, len(d.nodes))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return int(d.nodes[a]) - int(d.nodes[b]) })
	return order
}

// drawn is what is drawn up, nodes in the order of their dense ids.
func (d *drawing) drawn() *store.Drawn {
	order := d.ascending()
	to := make([]uint32, len(order)) // by place in the order met
	drawn := &store.Drawn{Numbers: d.g.Numbers(), Vertices: make([]uint32, len(order))}
	for place, met := range order {
		drawn.Vertices[place], to[met] = d.nodes[met], uint32(place)
	}
	if slices.ContainsFunc(d.labels, func(l string) bool { return l != "" }) {
		drawn.Labels = make([]string, len(order))
		for place, met := range order {
			drawn.Labels[place] = d.labels[met]
		}
	}
	for i := range d.from {
		drawn.From, drawn.To = append(drawn.From, to[d.from[i]]), append(drawn.To, to[d.to[i]])
	}
	if slices.ContainsFunc(d.types, func(t string) bool { return t != "" }) {
		drawn.Types = d.types
	}
	drawn.Relationships = d.relationships.padded(len(d.from), nil)
	d.bothWays(drawn)
	return drawn
}

// bothWays has the types that are undirected lead both ways: all of the graph, or each of their relationships twice.
func (d *drawing) bothWays(drawn *store.Drawn) {
	both := func(typ string) bool {
		return slices.Contains(d.undirected, "*") || slices.Contains(d.undirected, typ)
	}
	if len(d.undirected) == 0 {
		return
	}
	if drawn.Undirected = !slices.ContainsFunc(d.types, func(t string) bool { return !both(t) }); drawn.Undirected {
		return
	}
	for i, typ := range d.types {
		if !both(typ) || drawn.From[i] == drawn.To[i] {
			continue
		}
		drawn.From, drawn.To = append(drawn.From, drawn.To[i]), append(drawn.To, drawn.From[i])
		if drawn.Types != nil {
			drawn.Types = append(drawn.Types, typ)
		}
		for k, c := range drawn.Relationships {
			drawn.Relationships[k].Values = append(c.Values, c.Values[i])
		}
	}
}

// columns are properties of things that come one after the other.
type columns []store.DrawnColumn

// set gives the thing that has come last its values; what others before it lack is null.
func (c *columns) set(last int, values []value.Entry) {
	for _, e := range values {
		i := slices.IndexFunc(*c, func(one store.DrawnColumn) bool { return one.Name == e.Key })
		if i < 0 {
			i = len(*c)
			*c = append(*c, store.DrawnColumn{Name: e.Key})
		}
		one := &(*c)[i]
		for len(one.Values) < last {
			one.Values = append(one.Values, value.Value{})
		}
		one.Values = append(one.Values, e.Value)
	}
}

// padded are the columns with a value or null of each of n things, in this order; nil: as they have come.
func (c *columns) padded(n int, order []uint32) columns {
	for i := range *c {
		one := &(*c)[i]
		for len(one.Values) < n {
			one.Values = append(one.Values, value.Value{})
		}
		alike(one.Values)
		if order == nil {
			continue
		}
		values := make([]value.Value, n)
		for k, at := range order {
			values[k] = one.Values[at]
		}
		one.Values = values
	}
	return *c
}

// alike makes whole numbers floats where there are floats among them: 4 beside 0.5.
func alike(values []value.Value) {
	if !slices.ContainsFunc(values, func(v value.Value) bool { return v.Kind() == value.Float }) {
		return
	}
	for i, v := range values {
		if v.Kind() == value.Int {
			values[i] = value.OfFloat(float64(v.Int()))
		}
	}
}
