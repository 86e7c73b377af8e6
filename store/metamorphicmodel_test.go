package store_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
)

// A catalog is what a database must hold: the model of the metamorphic test.
type catalog map[string]*graph

// A graph in the model. Nodes and relationships are known by numbers that the test gives them as properties, since the
// store's ids change with every compaction.
type graph struct {
	directed      bool
	nodes         map[int]*node
	relationships map[int]*relationship
	indexes       map[string]bool // label.key
}

type node struct {
	labels map[string]bool
	values map[string]value.Value
}

type relationship struct {
	start, end int
	typ        string
	values     map[string]value.Value
}

func newGraph(directed bool) *graph {
	return &graph{directed, map[int]*node{}, map[int]*relationship{}, map[string]bool{}}
}

func (g *graph) clone() *graph {
	c := newGraph(g.directed)
	c.indexes = maps.Clone(g.indexes)
	for id, n := range g.nodes {
		c.nodes[id] = &node{maps.Clone(n.labels), maps.Clone(n.values)}
	}
	for id, r := range g.relationships {
		c.relationships[id] = &relationship{r.start, r.end, r.typ, maps.Clone(r.values)}
	}
	return c
}

// text is everything that a graph holds, a line for each node and relationship, in order.
func (g *graph) text() string {
	var lines []string
	for id, n := range g.nodes {
		lines = append(lines, nodeLine(id, slices.Collect(maps.Keys(n.labels)), n.values))
	}
	for id, r := range g.relationships {
		lines = append(lines, relationshipLine(id, g.directed, r.start, r.end, r.typ, r.values))
	}
	return joined(lines)
}

func joined(lines []string) string {
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func nodeLine(id int, labels []string, values map[string]value.Value) string {
	slices.Sort(labels)
	return fmt.Sprintf("node %03d %v %s", id, labels, spelled(values))
}

func relationshipLine(id int, directed bool, start, end int, typ string, values map[string]value.Value) string {
	if !directed {
		start, end = min(start, end), max(start, end)
	}
	return fmt.Sprintf("relationship %03d %d-%s-%d %s", id, start, typ, end, spelled(values))
}

// spelled has values as they are encoded: 1 and 1.0 differ.
func spelled(values map[string]value.Value) string {
	var text []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		text = append(text, fmt.Sprintf("%s=%x", key, value.Append(nil, values[key])))
	}
	return strings.Join(text, " ")
}

// An op is one step of a sequence. It names nodes and relationships by the test's numbers.
type op struct {
	what       string
	graph      string
	id, other  int
	start, end int
	name       string // a label, a type, or an index's label
	key        string
	value      value.Value
	load       *graph // what to load
	want       string // what the model says that a check finds
}

func (o op) String() string {
	return fmt.Sprintf("%s %s id=%d other=%d %d-%d %s %s %x", o.what, o.graph, o.id, o.other, o.start, o.end, o.name,
		o.key, value.Append(nil, o.value))
}

// A generator makes a sequence of operations, and does them to the model on the way.
type generator struct {
	r       *rand.Rand
	catalog catalog
	writer  *graph         // what the open writer sees; nil: there is none
	of      string         // the graph that it writes
	readers map[int]*graph // what open readers see, by slot
	names   map[int]string // which graphs these are of
	next    int            // number of the next node or relationship
	ops     []op
}

var (
	graphNames = []string{"a", "b"}
	labelNames = []string{"A", "B", "C"}
	typeNames  = []string{"T", "U"}
	keyNames   = []string{"k", "name", "x"}
)

// generate makes n steps, with a check of everything after each 12, when no transaction is open.
func generate(seed uint64, n int) []op {
	g := &generator{r: rand.New(rand.NewPCG(seed, 1)), catalog: catalog{}, readers: map[int]*graph{},
		names: map[int]string{}}
	for i := range n {
		if g.step(); i%12 == 11 {
			g.quiet()
		}
	}
	g.quiet()
	return g.ops
}

func (g *generator) emit(o op) { g.ops = append(g.ops, o) }

// quiet ends all transactions and checks all graphs.
func (g *generator) quiet() {
	if g.writer != nil {
		g.end()
	}
	for slot := range 3 {
		if g.readers[slot] != nil {
			g.closeReader(slot)
		}
	}
	g.emit(op{what: "graphs", want: strings.Join(slices.Sorted(maps.Keys(g.catalog)), " ")})
	for _, name := range slices.Sorted(maps.Keys(g.catalog)) {
		g.emit(op{what: "check", graph: name, want: g.catalog[name].text()})
		g.lookUp(name)
	}
	g.emit(op{what: "quiet"})
}

// lookUp asks an index, where there is one.
func (g *generator) lookUp(name string) {
	graph := g.catalog[name]
	for _, index := range slices.Sorted(maps.Keys(graph.indexes)) {
		label, key, _ := strings.Cut(index, ".")
		v := g.anyValue()
		var found []string
		for id, n := range graph.nodes {
			has, ok := n.values[key]
			if equal, known := value.Equal(has, v); ok && n.labels[label] && equal && known {
				found = append(found, fmt.Sprint(id))
			}
		}
		g.emit(op{what: "seek", graph: name, name: label, key: key, value: v, want: joined(found)})
	}
}

// step makes one random step.
func (g *generator) step() {
	name := graphNames[g.r.IntN(len(graphNames))]
	graph := g.catalog[name]
	switch n := g.r.IntN(40); {
	case graph == nil && g.r.IntN(2) == 0:
		g.catalog[name] = newGraph(true)
		g.emit(op{what: "create", graph: name})
	case graph == nil:
		g.load(name)
	case n == 0 && g.idle(name):
		g.load(name)
	case n == 1 && g.idle(name):
		delete(g.catalog, name)
		g.emit(op{what: "drop", graph: name})
	case n <= 4:
		g.emit(op{what: "compact", graph: name})
	case n <= 6 && g.of != name: // a result is of what the graph was when the run began
		g.writeBack(name)
	case n <= 8:
		g.index(name)
	case n <= 14:
		g.reader(name)
	case g.writer == nil:
		g.writer, g.of = graph.clone(), name
		g.emit(op{what: "begin", graph: name})
	case n <= 18:
		g.end()
	default:
		for range 1 + g.r.IntN(6) {
			g.write()
		}
	}
}

// idle tells whether no transaction is open on a graph.
func (g *generator) idle(name string) bool {
	for slot := range g.readers {
		if g.names[slot] == name {
			return false
		}
	}
	return g.writer == nil || g.of != name
}

// load makes a graph by a load, in place of one that may be there.
func (g *generator) load(name string) {
	made := newGraph(g.r.IntN(3) > 0)
	for range g.r.IntN(25) {
		n := &node{map[string]bool{}, map[string]value.Value{}}
		if g.r.IntN(2) == 0 {
			n.labels[g.pick(labelNames)] = true
		}
		if g.r.IntN(2) == 0 {
			n.values["k"] = value.OfInt(int64(g.r.IntN(5)))
		}
		made.nodes[g.number()] = n
	}
	if ids := slices.Sorted(maps.Keys(made.nodes)); len(ids) > 0 {
		for range g.r.IntN(60) {
			r := &relationship{ids[g.r.IntN(len(ids))], ids[g.r.IntN(len(ids))], g.pick(typeNames), map[string]value.Value{}}
			if g.r.IntN(2) == 0 {
				r.values["k"] = value.OfInt(int64(g.r.IntN(5)))
			}
			made.relationships[g.number()] = r
		}
	}
	g.catalog[name] = made
	g.emit(op{what: "load", graph: name, load: made.clone()})
}

func (g *generator) number() int {
	g.next++
	return g.next
}

func (g *generator) pick(names []string) string { return names[g.r.IntN(len(names))] }

// end commits the writer, or rolls it back.
func (g *generator) end() {
	if g.r.IntN(5) == 0 {
		g.emit(op{what: "rollback", graph: g.of})
	} else {
		g.writer.indexes = g.catalog[g.of].indexes
		g.catalog[g.of] = g.writer
		g.emit(op{what: "commit", graph: g.of})
	}
	g.writer, g.of = nil, ""
}

// writeBack writes a property of all nodes, as the result of a run.
func (g *generator) writeBack(name string) {
	factor := g.number()
	for id, n := range g.catalog[name].nodes {
		n.values["rank"] = value.OfFloat(float64(id) * float64(factor))
	}
	g.emit(op{what: "write back", graph: name, id: factor})
}

// index makes an index, or drops it.
func (g *generator) index(name string) {
	o := op{what: "index", graph: name, name: g.pick(labelNames), key: g.pick(keyNames)}
	indexes := g.catalog[name].indexes
	if index := o.name + "." + o.key; indexes[index] {
		o.what = "drop index"
		delete(indexes, index)
	} else {
		indexes[index] = true
	}
	g.emit(o)
}

// reader opens a reader, or lets one read and closes it.
func (g *generator) reader(name string) {
	slot := g.r.IntN(3)
	if g.readers[slot] != nil {
		g.closeReader(slot)
		return
	}
	g.readers[slot], g.names[slot] = g.catalog[name].clone(), name
	g.emit(op{what: "open reader", graph: name, id: slot})
}

func (g *generator) closeReader(slot int) {
	g.emit(op{what: "close reader", graph: g.names[slot], id: slot, want: g.readers[slot].text()})
	delete(g.readers, slot)
	delete(g.names, slot)
}

// write makes one change in the writer.
func (g *generator) write() {
	w := g.writer
	nodes, relationships := slices.Sorted(maps.Keys(w.nodes)), slices.Sorted(maps.Keys(w.relationships))
	o := op{graph: g.of, name: g.pick(labelNames), key: g.pick(keyNames)}
	what := g.r.IntN(12)
	if len(nodes) == 0 {
		what = 0
	} else {
		o.id = nodes[g.r.IntN(len(nodes))]
	}
	if len(relationships) > 0 {
		o.other = relationships[g.r.IntN(len(relationships))]
	} else if what >= 10 {
		what = 3
	}
	switch what {
	case 0, 1, 2:
		o.what, o.id = "create node", g.number()
		w.nodes[o.id] = &node{map[string]bool{o.name: true}, map[string]value.Value{}}
	case 3, 4, 5:
		o.what, o.start, o.end, o.name, o.other = "connect", o.id, nodes[g.r.IntN(len(nodes))], g.pick(typeNames), g.number()
		w.relationships[o.other] = &relationship{o.start, o.end, o.name, map[string]value.Value{}}
	case 6, 7:
		o.what, o.value = "set node", g.anyValue()
		set(w.nodes[o.id].values, o.key, o.value)
	case 8:
		if o.what = "label"; w.nodes[o.id].labels[o.name] {
			o.what = "unlabel"
			delete(w.nodes[o.id].labels, o.name)
		} else {
			w.nodes[o.id].labels[o.name] = true
		}
	case 9:
		o.what = "delete node"
		delete(w.nodes, o.id)
		maps.DeleteFunc(w.relationships, func(_ int, r *relationship) bool { return r.start == o.id || r.end == o.id })
	case 10:
		o.what, o.value = "set relationship", g.anyValue()
		set(w.relationships[o.other].values, o.key, o.value)
	default:
		o.what = "disconnect"
		delete(w.relationships, o.other)
	}
	g.emit(o)
}

func set(values map[string]value.Value, key string, v value.Value) {
	if delete(values, key); !v.IsNull() {
		values[key] = v
	}
}

// anyValue draws from few values, so that indexes find something.
func (g *generator) anyValue() value.Value {
	switch n := g.r.IntN(10); {
	case n == 0:
		return value.Value{}
	case n <= 4:
		return value.OfInt(int64(g.r.IntN(5)))
	case n == 5:
		return value.OfFloat(float64(g.r.IntN(5)) / 2)
	case n == 6:
		return value.OfBool(g.r.IntN(2) == 0)
	case n == 7:
		return value.OfList([]value.Value{value.OfInt(1), value.OfInt(int64(g.r.IntN(3)))})
	}
	return value.OfString(strings.Repeat(g.pick([]string{"x", "yz"}), g.r.IntN(9)))
}

// ascending orders loaded elements by their numbers.
func ascending[V any](m map[int]V) []int {
	return slices.SortedFunc(maps.Keys(m), cmp.Compare[int])
}
