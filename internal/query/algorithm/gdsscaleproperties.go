package algorithm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/algorithm/scaler"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// scaling is gds.scaleProperties: properties of nodes, numbers or lists of them, scaled and one behind the other in one
// list. Each number of a list is scaled among those of other nodes in its place. A node that lacks a property has NaN
// there.
//
//	CALL gds.scaleProperties.mutate('hotels', {nodeProperties: ['built', 'stars'], scaler: 'MinMax', mutateProperty: 'features'})
type scaling struct{ *projections }

// procedures are those of all modes.
func (s scaling) procedures() []*procedure.Procedure {
	stats := []procedure.Field{field("scalerStatistics", "MAP"), field("preProcessingMillis", "FLOAT"),
		field("computeMillis", "FLOAT"), field("postProcessingMillis", "FLOAT"), field("configuration", "MAP")}
	kept := func(took string) []procedure.Field {
		return append(stats[:len(stats):len(stats)], field(took, "FLOAT"), field("nodePropertiesWritten", "INTEGER"))
	}
	stream := []procedure.Field{field("nodeId", "INTEGER"), field("scaledProperty", "LIST")}
	return gdsModes("gds.scaleProperties", "properties of nodes, scaled, in one list", s.asked, s.estimate,
		gdsMode[toScale]{".stream", stream, s.stream, false}, gdsMode[toScale]{".stats", stats, s.stats, false},
		gdsMode[toScale]{".mutate", kept("mutateMillis"), s.mutate, false},
		gdsMode[toScale]{".write", kept("writeMillis"), s.write, true})
}

// toScale is what a call asks for.
type toScale struct {
	of             store.Projection
	projection     string
	given          value.Value
	properties     []string
	scaler         string
	offset         float64
	mutate, writes string // the names that what is kept gets
}

func (s scaling) asked(graph string, arguments []value.Value) (a toScale, err error) {
	a.projection, a.given = arguments[0].Str(), arguments[1]
	by, err := settings("gds.scaleProperties", arguments[1],
		[]string{"nodeProperties", "scaler", "mutateProperty", "writeProperty"}, func(key string, e value.Entry) (err error) {
			switch key {
			case "nodeproperties":
				a.properties, err = NamesOf(e.Value)
			case "scaler":
				a.scaler, a.offset, err = scaler.Read(e.Value, scaler.OfProperties)
			case "mutateproperty":
				a.mutate, err = textOf(e.Value)
			case "writeproperty":
				a.writes, err = textOf(e.Value)
			}
			return err
		})
	if err != nil {
		return a, err
	}
	switch {
	case len(a.properties) == 0:
		return a, missing("nodeProperties")
	case a.scaler == "" || a.scaler == "none":
		return a, missing("scaler")
	}
	a.of, err = s.narrowed(graph, a.projection, by)
	return a, err
}

// scaledProperties is what comes of it.
type scaledProperties struct {
	nodes      []uint32
	width      int       // numbers of a node
	numbers    []float64 // by node
	statistics value.Value
	read, took float64 // milliseconds
}

// list is the numbers of a node.
func (p *scaledProperties) list(node int) value.Value {
	return value.OfList(listOf(p.numbers[node*p.width:][:p.width], value.OfFloat))
}

// run reads the properties and scales them. It holds what scalingBytes says.
func (s scaling) run(ctx context.Context, g procedure.Graph, a toScale) (*scaledProperties, error) {
	began := time.Now()
	m, err := s.runner.Describe(ctx, g.Name(), a.of)
	if err != nil {
		return nil, failed(err)
	}
	p, nodes := &scaledProperties{}, int(m.Vertices)
	columns := make([]column, len(a.properties))
	for i, name := range a.properties {
		err := s.runner.NodeValues(ctx, g.Name(), a.of, name, func(node uint64, v value.Value) error {
			if i == 0 {
				p.nodes = append(p.nodes, uint32(node))
			}
			before := columns[i].width
			if err := columns[i].add(v); err != nil {
				return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "gds.scaleProperties: property %s of node %d: %s", name,
					node, err)
			}
			if columns[i].width == before {
				return nil
			}
			return room((p.width+columns[i].width)*nodes, nodes)
		})
		if err != nil {
			return nil, failed(err)
		}
		p.width += columns[i].width
	}
	p.read = time.Since(began).Seconds() * 1e3
	began = time.Now()
	p.numbers = make([]float64, p.width*len(p.nodes))
	var statistics []value.Entry
	at := 0
	for i := range columns {
		c := columns[i]
		statistics = append(statistics, value.Entry{Key: a.properties[i], Value: c.scaled(a, func(row, place int, x float64) {
			p.numbers[row*p.width+at+place] = x
		})})
		at += c.width
	}
	p.statistics, p.took = value.OfEntries(statistics), time.Since(began).Seconds()*1e3
	return p, nil
}

// room fails where so many numbers of so many nodes take more memory than a call may.
func room(numbers, nodes int) error {
	return mayTake("gds.scaleProperties", scalingBytes(numbers, nodes),
		"scale fewer properties at a time, or name nodeLabels")
}

// scalingBytes is of each number what was read and what comes of it, and of each node its id and, while the numbers in
// one place are scaled, that of each and where it is.
func scalingBytes(numbers, nodes int) int64 { return 16*int64(numbers) + 20*int64(nodes) }

// column is a property of nodes: of each the numbers of its list, NaN where it has none.
type column struct {
	width   int // 0: no node has had it so far
	rows    int
	numbers []float64
}

func (c *column) add(v value.Value) error {
	c.rows++
	var row []float64
	switch {
	case v.IsNumber():
		row = []float64{floatOf(v)}
	case v.Kind() == value.List:
		for _, one := range v.List() {
			if !one.IsNumber() {
				return fmt.Errorf("a list of numbers has %s", one.Text())
			}
			row = append(row, floatOf(one))
		}
	case !v.IsNull():
		return fmt.Errorf("expected a number or a list of them, not %s", v.Kind())
	}
	switch {
	case row == nil: // it has none
		row = missingNumbers(c.width)
	case c.width == 0:
		c.width = len(row)
		c.numbers = missingNumbers(c.width * (c.rows - 1))
	case c.width != len(row):
		return fmt.Errorf("%d numbers, where nodes before have %d", len(row), c.width)
	}
	c.numbers = append(c.numbers, row...)
	return nil
}

func floatOf(v value.Value) float64 {
	if v.Kind() == value.Int {
		return float64(v.Int())
	}
	return v.Float()
}

func missingNumbers(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

// scaled scales the numbers in each place of the lists, those that are there, and tells what the scaler has gone by.
func (c *column) scaled(a toScale, set func(row, place int, x float64)) value.Value {
	var figures []value.Entry
	for place := range c.width {
		var rows []int
		var numbers []float64
		for row := range c.rows {
			if x := c.numbers[row*c.width+place]; math.IsNaN(x) {
				set(row, place, x)
			} else {
				rows, numbers = append(rows, row), append(numbers, x)
			}
		}
		for i, f := range scaler.Scale(numbers, a.scaler, a.offset) {
			if place == 0 {
				figures = append(figures, value.Entry{Key: f.Name, Value: value.OfList(nil)})
			}
			figures[i].Value = value.OfList(append(figures[i].Value.List(), value.OfFloat(f.Of)))
		}
		for i, row := range rows {
			set(row, place, numbers[i])
		}
	}
	return value.OfEntries(figures)
}

func (s scaling) stream(ctx context.Context, g procedure.Graph, a toScale, yield func([]value.Value) error) error {
	p, err := s.run(ctx, g, a)
	if err != nil {
		return err
	}
	for i, node := range p.nodes {
		if err := yield([]value.Value{value.OfInt(int64(node)), p.list(i)}); err != nil {
			return err
		}
	}
	return nil
}

func (s scaling) stats(ctx context.Context, g procedure.Graph, a toScale, yield func([]value.Value) error) error {
	p, err := s.run(ctx, g, a)
	if err != nil {
		return err
	}
	return yield(p.stats(a))
}

func (p *scaledProperties) stats(a toScale) []value.Value {
	return []value.Value{p.statistics, value.OfFloat(p.read), value.OfFloat(p.took), value.OfFloat(0), a.given}
}

// mutate keeps the lists as a property of the projection.
func (s scaling) mutate(ctx context.Context, g procedure.Graph, a toScale, yield func([]value.Value) error) error {
	if a.mutate == "" {
		return missing("mutateProperty")
	}
	if _, err := s.mutable(g.Name(), a.projection); err != nil {
		return err
	}
	p, err := s.run(ctx, g, a)
	if err != nil {
		return err
	}
	began := time.Now()
	added := store.AddedProperty{Numbers: g.Numbers(), Vertices: p.nodes}
	added.Name = a.mutate
	for i := range p.nodes {
		added.Values = append(added.Values, p.list(i))
	}
	if err := s.projections.mutate(g.Name(), a.projection, []store.AddedProperty{added}); err != nil {
		return err
	}
	return yield(append(p.stats(a), value.OfFloat(time.Since(began).Seconds()*1e3), value.OfInt(int64(len(p.nodes)))))
}

// write writes the lists to the graph, as the statement's own changes.
func (s scaling) write(ctx context.Context, g procedure.Graph, a toScale, yield func([]value.Value) error) error {
	w, ok := g.(nodeWriter)
	switch {
	case !ok:
		return onlyReads()
	case a.writes == "":
		return missing("writeProperty")
	}
	p, err := s.run(ctx, g, a)
	if err != nil {
		return err
	}
	began, key := time.Now(), w.NewKey(a.writes)
	for i, node := range p.nodes {
		if err := w.SetNodeProperty(uint64(node), key, p.list(i)); err != nil {
			return err
		}
	}
	return yield(append(p.stats(a), value.OfFloat(time.Since(began).Seconds()*1e3), value.OfInt(int64(len(p.nodes)))))
}

// estimate is of nodes with a number for each property: how long lists are, nodes tell.
func (s scaling) estimate(ctx context.Context, g procedure.Graph, a toScale, yield func([]value.Value) error) error {
	m, err := s.runner.Describe(ctx, g.Name(), a.of)
	if err != nil {
		return failed(err)
	}
	nodes := int(m.Vertices)
	return yield(estimated(m, scalingBytes(nodes*len(a.properties), nodes)))
}

// scaled scales scores in place, as the option scaler says: a name, or {scaler: 'LOG', offset: 1.0}.
func scaled(_ context.Context, result Result, request configured) (Result, error) {
	name, offset, err := scaler.Read(request.options["scaler"], scaler.OfScores)
	if err != nil {
		return nil, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "scaler: %s", err)
	}
	scaler.Scale(result.Columns()[0].Floats, name, offset)
	return result, nil
}
