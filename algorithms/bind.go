package algorithms

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Env is what Bind must know of the graph.
type Env struct {
	Directed    bool
	N           int      // vertices
	M           int      // edges; an undirected edge is one
	EdgeColumns []string // names of the numeric edge properties
	// VertexColumns are the numeric vertex properties: those of whole numbers are Int, others Float.
	VertexColumns []Column
	// Vectors are the vertex properties of numbers, or of lists of numbers; VectorWidth tells how many numbers a vector of
	// one of them has. Nil: there are none.
	Vectors     []string
	VectorWidth func(property string) (int, error)
	// MostIn tells how many edges lead into a vertex, at most; of an undirected graph, how many are in the list of one.
	// Nil: nobody knows.
	MostIn func() (int64, error)
	// Vertex finds the `id` of the vertex that a user names. Never nil.
	Vertex func(user string) (id int64, err error)
}

// ParamError is a parameter that an algorithm does not have, lacks or cannot take.
type ParamError struct {
	Algorithm string
	Param     string
	Value     string // as given; "" when the parameter is missing or unknown
	Message   string
	Err       error // the cause, such as an unknown vertex
}

func (e *ParamError) Error() string {
	text := fmt.Sprintf("%s: parameter %s", e.Algorithm, e.Param)
	if e.Value != "" {
		text += "=" + e.Value
	}
	text += ": " + e.Message
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *ParamError) Unwrap() error { return e.Err }

// Bind reads the parameters that a user gave, name → text, and fills in the defaults. It
// fails with a *ParamError.
func (a *Algorithm) Bind(params map[string]string, g Env) (Args, error) {
	args := Args{Floats: map[string]float64{}, Ints: map[string]int64{}, Strings: map[string]string{},
		Vertices: map[string][]int64{}, Lists: map[string][]float64{}, Directed: g.Directed, N: g.N, M: g.M}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if !slices.ContainsFunc(a.Params, func(p Param) bool { return p.Name == name }) {
			return args, &ParamError{Algorithm: a.Name, Param: name, Message: a.unknownParam(name)}
		}
	}
	for _, p := range a.Params {
		text, given := params[p.Name]
		if p.Share > 0 {
			if err := a.bindMostIn(p, g, args); err != nil {
				return args, err
			}
		}
		if !given {
			text, given = p.fallback(g, args)
		}
		if p.Optional && (!given || text == "" && (p.Type == ParamProperty || p.Type == ParamFloats)) {
			continue
		}
		if !given {
			return args, &ParamError{Algorithm: a.Name, Param: p.Name, Message: "is missing: " + p.Doc}
		}
		if message, err := p.bind(text, g, &args); message != "" {
			return args, &ParamError{a.Name, p.Name, text, message, err}
		}
	}
	if a.Derive != nil {
		if err := a.Derive(args); err != nil {
			return args, err
		}
	}
	return args, a.tooWide(args)
}

// tooWide is a *ParamError where the paths of a vertex would have more vertices than a column may have values, or a
// table more values than one may have.
func (a *Algorithm) tooWide(args Args) error {
	for _, c := range a.Columns(args) {
		if c.Rows > MaxRows/c.Per() {
			return &ParamError{Algorithm: a.Name, Param: c.Width, Value: strconv.FormatInt(args.Ints[c.Width], 10),
				Message: fmt.Sprintf("column %s would have that many values in each of %d rows; expected %d values at most in all",
					c.Name, c.Rows, MaxRows)}
		}
		if c.Steps != "" && c.Each > MaxWidth {
			return &ParamError{Algorithm: a.Name, Param: c.Width, Value: strconv.FormatInt(args.Ints[c.Width], 10),
				Message: fmt.Sprintf("by %s=%d that is %d values of each vertex; expected %d at most", c.Steps, args.Ints[c.Steps],
					c.Each, MaxWidth)}
		}
	}
	return nil
}

// MostIn is what Ints tell beside parameters, where one of these has a Share: how many edges lead into a vertex, at
// most, and 1 at least.
const MostIn = "most edges into a vertex"

func (a *Algorithm) bindMostIn(p Param, g Env, args Args) error {
	unknown := &ParamError{Algorithm: a.Name, Param: p.Name,
		Message: "depends on how many edges lead into a vertex, which could not be told"}
	if g.MostIn == nil {
		return unknown
	}
	most, err := g.MostIn()
	if err != nil {
		unknown.Err = err
		return unknown
	}
	args.Ints[MostIn] = max(1, most)
	return nil
}

// fallback is the default of p on this graph.
func (p Param) fallback(g Env, args Args) (text string, ok bool) {
	switch {
	case p.Share > 0:
		return strconv.FormatFloat(p.Share/float64(args.Ints[MostIn]), 'g', -1, 64), true
	case p.Type == ParamProperty && p.Optional:
		return p.Default, slices.Contains(g.EdgeColumns, p.Default)
	case p.Type == ParamVertexProperty && p.Optional:
		return p.Default, p.noVertexProperty(p.Default, g.VertexColumns) == ""
	case p.Type == ParamVectors && p.Optional:
		return p.Default, slices.Contains(g.Vectors, p.Default)
	}
	return p.Default, p.Default != ""
}

// bind reads text into args. The message is empty when it succeeds.
func (p Param) bind(text string, g Env, args *Args) (message string, err error) {
	switch p.Type {
	case ParamFloat:
		args.Floats[p.Name], message = p.float(text)
	case ParamInt:
		args.Ints[p.Name], message = p.int(text)
	case ParamVertex:
		if args.Ints[p.Name], err = g.Vertex(text); err != nil {
			message = noVertex
		}
	case ParamVertices:
		args.Vertices[p.Name], message, err = vertices(strings.Split(text, ","), g)
	case ParamProperty:
		args.Strings[p.Name], message = text, missingProperty(text, g.EdgeColumns)
	case ParamVertexProperty:
		args.Strings[p.Name], message = text, p.noVertexProperty(text, g.VertexColumns)
	case ParamVectors:
		var width int
		width, message, err = p.vectors(text, g)
		args.Strings[p.Name], args.Ints[p.Name] = text, int64(width)
	case ParamChoice:
		args.Strings[p.Name], message = text, p.noChoice(text)
	case ParamFloats:
		args.Lists[p.Name], message = p.floats(text)
	}
	return message, err
}

const noVertex = "there is no such vertex"

func vertices(names []string, g Env) (ids []int64, message string, err error) {
	named := make(map[int64]bool, len(names))
	for _, name := range names {
		id, err := g.Vertex(name)
		if err != nil {
			return nil, noVertex, err
		}
		if named[id] {
			return nil, "vertex " + name + " is named twice", nil
		}
		ids, named[id] = append(ids, id), true
	}
	return ids, "", nil
}

func (p Param) float(text string) (float64, string) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x-x != 0 {
		return 0, "expected a finite number"
	}
	return x, p.outside(x)
}

// floats reads a list of numbers, up to as many as a vertex may have in a column.
func (p Param) floats(text string) (all []float64, message string) {
	for part := range strings.SplitSeq(text, ",") {
		x, message := p.float(strings.TrimSpace(part))
		if message != "" {
			return nil, message + ", or several with commas in between"
		}
		all = append(all, x)
	}
	if len(all) > MaxWidth {
		return nil, fmt.Sprintf("has %d numbers; expected %d at most", len(all), MaxWidth)
	}
	return all, ""
}

func (p Param) int(text string) (int64, string) {
	k, err := strconv.ParseInt(text, 10, 64)
	if err != nil || k < 0 {
		return 0, "expected a whole number, 0 or more"
	}
	return k, p.outside(float64(k))
}

// outside is a complaint that x is not between Min and Max, or "".
func (p Param) outside(x float64) string {
	switch {
	case p.Min >= p.Max || (x >= p.Min && x <= p.Max):
		return ""
	case x < p.Min:
		return fmt.Sprintf("expected a number of at least %g", p.Min)
	}
	return fmt.Sprintf("expected a number of at most %.10g", p.Max)
}

// noChoice is a complaint that text is not among the choices, or "".
func (p Param) noChoice(text string) string {
	if slices.Contains(p.Choices, text) {
		return ""
	}
	return "expected " + strings.Join(p.Choices, " or ") + didYouMean(text, p.Choices)
}

func missingProperty(name string, known []string) string {
	switch {
	case slices.Contains(known, name):
		return ""
	case len(known) == 0:
		return "the edges of this graph have no numeric properties"
	}
	known = slices.Sorted(slices.Values(known))
	return fmt.Sprintf("the graph has no such numeric edge property, only %s%s", strings.Join(known, ", "),
		didYouMean(name, known))
}

func (a *Algorithm) unknownParam(name string) string {
	var names []string
	for _, p := range a.Params {
		names = append(names, p.Name)
	}
	if len(names) == 0 {
		return "there is no such parameter; " + a.Name + " has none"
	}
	if hint := didYouMean(name, names); hint != "" {
		return "there is no such parameter" + hint
	}
	return "there is no such parameter; there are " + strings.Join(names, ", ")
}
