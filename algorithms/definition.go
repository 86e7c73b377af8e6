package algorithms

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// Definition says what an algorithm of a plugin is called, takes and gives, as data: a plugin describes itself by it,
// and a lock file keeps it. Define makes an Algorithm of it, a procedure that the plugin computes.
//
// Words stand for what is a number in an Algorithm, for a Definition goes to other languages, and into files.
type Definition struct {
	Name    string            `json:"name"` // lower-case letters, digits and hyphens
	Aliases []string          `json:"aliases,omitempty"`
	Summary string            `json:"summary"`          // one line
	Source  string            `json:"source,omitempty"` // the paper, with section
	Params  []ParamDefinition `json:"parameters,omitempty"`
	Result  []ResultColumn    `json:"result"`
	// Pairs: the result is pairs of vertices, as OfPairs has it, of each vertex.
	Pairs bool `json:"pairs,omitempty"`
	// Rows is the most rows that the result has, where it is a table, as OfRows has it: factors joined by *, each a whole
	// number, "vertices", "edges" (of the graph), a parameter of type "int", or one of type "vertices", which counts what
	// it names. Empty: each vertex has a row.
	Rows string `json:"rows,omitempty"`
	// Edges are the lists that it reads: "forward", those of edges that leave a vertex; "backward", those of edges that
	// come to it; "both". Those of an undirected graph have all edges of a vertex, whatever it says.
	Edges string `json:"edges"`
}

// ParamDefinition is a Param, with its type as a word: "float", "floats", "int", "vertex", "vertices", "property",
// "vertex-property", "vectors" or "choice".
type ParamDefinition struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Default  string   `json:"default,omitempty"`
	Optional bool     `json:"optional,omitempty"`
	Min      float64  `json:"min,omitempty"`
	Max      float64  `json:"max,omitempty"`
	Choices  []string `json:"choices,omitempty"`
	Values   string   `json:"values,omitempty"`  // of a vertex-property: "int" or "float"
	Missing  string   `json:"missing,omitempty"` // of a vertex-property: what a vertex without a value counts as
	Doc      string   `json:"doc"`
}

// ResultColumn is a Column, with its type as a word: "float", "int", "bool" or "vertex".
type ResultColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
	// Width is the parameter, an "int" of 1 to MaxWidth at most, that says how many values a vertex has; empty: one.
	Width string `json:"width,omitempty"`
	// Steps is the parameter, an "int" likewise, that says how many vertices a path has, at most, as Column has it; empty:
	// values are no paths.
	Steps string `json:"steps,omitempty"`
}

// The words of a Definition, each in the place of its value.
var (
	paramTypeNames = []string{ParamFloat: "float", ParamInt: "int", ParamVertex: "vertex", ParamVertices: "vertices",
		ParamProperty: "property", ParamChoice: "choice", ParamFloats: "floats", ParamVertexProperty: "vertex-property",
		ParamVectors: "vectors"}
	columnTypeNames = []string{Float: "float", Int: "int", Bool: "bool", VertexID: "vertex"}
)

// Bounds of a Definition, which comes from a program that may be broken.
const (
	maxText        = 2000 // bytes of a text
	maxEntries     = 64   // parameters, columns, aliases, choices
	maxDefinitions = 256  // of a plugin
)

// DefinitionError is what is wrong with a Definition.
type DefinitionError struct {
	Algorithm string // its name, as it is
	Field     string
	Err       error
}

func (e *DefinitionError) Error() string {
	return fmt.Sprintf("algorithm %q: %s: %v", e.Algorithm, e.Field, e.Err)
}

func (e *DefinitionError) Unwrap() error { return e.Err }

// Define makes an Algorithm of a definition: a Procedure without an Oracle. It fails with a *DefinitionError.
func Define(d Definition) (*Algorithm, error) {
	a := &Algorithm{Name: d.Name, Aliases: slices.Clone(d.Aliases), Summary: d.Summary, Source: d.Source}
	fail := func(field string, err error) (*Algorithm, error) {
		return nil, &DefinitionError{Algorithm: d.Name[:min(len(d.Name), 100)], Field: field, Err: err}
	}
	if err := checkWords(append([]string{d.Name}, d.Aliases...), algorithmName); err != nil {
		return fail("name", err)
	}
	if err := checkText(d.Summary, true); err != nil {
		return fail("summary", err)
	}
	if err := checkText(d.Source, false); err != nil {
		return fail("source", err)
	}
	edges := slices.Index(edgesNames[:], d.Edges)
	if edges < 0 {
		return fail("edges", notAmong(d.Edges, edgesNames[:]))
	}
	var names []string
	for _, p := range d.Params {
		param, err := p.define()
		if err != nil {
			return fail("parameter "+p.Name, err)
		}
		a.Params, names = append(a.Params, param), append(names, p.Name)
	}
	if err := checkWords(names, columnName); err != nil {
		return fail("parameters", err)
	}
	if a.Result, names = nil, nil; len(d.Result) == 0 {
		return fail("result", errors.New("there is no column"))
	}
	for _, c := range d.Result {
		t := slices.Index(columnTypeNames, c.Type)
		if t < 0 {
			return fail("column "+c.Name, notAmong(c.Type, columnTypeNames))
		}
		if err := CheckWidth(c.Width, a.Params); err != nil {
			return fail("column "+c.Name, err)
		}
		column := Column{Name: c.Name, Type: Type(t), Width: c.Width, Steps: c.Steps}
		a.Result, names = append(a.Result, column), append(names, c.Name)
	}
	if err := CheckPaths(a.Result, a.Params); err != nil {
		return fail("result", err)
	}
	if err := checkWords(append(names, "id", "out_degree", "in_degree"), columnName); err != nil {
		return fail("result", err)
	}
	if a.Result[0].Steps != "" {
		a.Shape = OfPaths
	}
	if d.Pairs {
		a.Shape = OfPairs
		if err := CheckPairs(a.Result); err != nil {
			return fail("pairs", err)
		}
	}
	if d.Rows != "" {
		if err := a.defineTable(d); err != nil {
			return fail("rows", err)
		}
	}
	a.Procedure = &Procedure{Edges: Edges(edges), Adjacency: true, Infinite: true, EdgeColumns: namedProperties(a.Params)}
	return a, nil
}

// DefineAll defines several algorithms, whose names and aliases must all be different. It fails with a
// *DefinitionError.
func DefineAll(definitions []Definition) (all Catalog, err error) {
	if len(definitions) > maxDefinitions {
		return nil, &DefinitionError{Field: "algorithms", Err: fmt.Errorf("there are %d; expected %d at most", len(definitions),
			maxDefinitions)}
	}
	for _, d := range definitions {
		a, err := Define(d)
		if err != nil {
			return nil, err
		}
		for _, name := range append([]string{a.Name}, a.Aliases...) {
			if _, err := all.Lookup(name); err == nil {
				return nil, &DefinitionError{Algorithm: d.Name, Field: "name", Err: fmt.Errorf("%q is there twice", name)}
			}
		}
		all = append(all, a)
	}
	return all, nil
}

// namedProperties are the edge properties that arguments name, in the order of the parameters, each once.
func namedProperties(params []Param) func(Args) []string {
	return func(args Args) (names []string) {
		for _, p := range params {
			if name := args.Strings[p.Name]; p.Type == ParamProperty && name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return names
	}
}

// define reads the words of a parameter. What it has by default must be what may be given.
func (d ParamDefinition) define() (Param, error) {
	p := Param{Name: d.Name, Default: d.Default, Optional: d.Optional, Min: d.Min, Max: d.Max,
		Choices: slices.Clone(d.Choices), Missing: d.Missing, Doc: d.Doc}
	t := slices.Index(paramTypeNames, d.Type)
	if t < 0 {
		return p, notAmong(d.Type, paramTypeNames)
	}
	p.Type = ParamType(t)
	for _, text := range append(slices.Clone(d.Choices), d.Default, d.Missing) {
		if err := checkText(text, false); err != nil {
			return p, err
		}
	}
	if err := checkText(d.Doc, true); err != nil {
		return p, fmt.Errorf("doc: %w", err)
	}
	if d.Min-d.Min != 0 || d.Max-d.Max != 0 {
		return p, errors.New("its bounds are not finite")
	}
	if len(d.Choices) > maxEntries || (p.Type == ParamChoice) != (len(d.Choices) > 0) {
		return p, fmt.Errorf("it has %d choices; expected some of a choice, %d at most, and none of any other", len(d.Choices),
			maxEntries)
	}
	if err := p.defineValues(d.Values); err != nil {
		return p, err
	}
	return p, p.checkDefault()
}

// defineValues reads what the values of a vertex property are, and checks what a missing one counts as.
func (p *Param) defineValues(word string) error {
	values := slices.Index(columnTypeNames[:Bool], word)
	switch {
	case p.Type != ParamVertexProperty && (word != "" || p.Missing != ""):
		return errors.New("it has values, or something that counts where they are missing, and is no vertex-property")
	case p.Type != ParamVertexProperty:
		return nil
	case values < 0:
		return fmt.Errorf("values %w", notAmong(word, columnTypeNames[:Bool]))
	}
	p.Values = Type(values)
	if p.Missing == "" {
		return nil
	}
	if _, _, err := (VertexInput{Column: Column{Type: p.Values}, Missing: p.Missing}).Default(); err != nil {
		return fmt.Errorf("missing: %w", err)
	}
	return nil
}

// CheckWidth fails unless a width is none, or a parameter that always is a number that a width may be.
func CheckWidth(name string, params []Param) error { return checkCount("width", name, params) }

func checkCount(what, name string, params []Param) error {
	i := slices.IndexFunc(params, func(p Param) bool { return p.Name == name })
	switch {
	case name == "":
		return nil
	case i < 0 || params[i].Type != ParamInt:
		return fmt.Errorf("its %s %q is no parameter of type int", what, name[:min(len(name), 100)])
	case params[i].Optional && params[i].Default == "" || params[i].Min < 1 || params[i].Max > MaxWidth ||
		params[i].Min >= params[i].Max:
		return fmt.Errorf("its %s, parameter %s, need not be from 1 to %d: give it a min of 1 or more, a max, and a default",
			what, name, MaxWidth)
	}
	return nil
}

// CheckPaths fails where a column has Steps, unless it may be that of paths.
func CheckPaths(columns []Column, params []Param) error {
	for _, c := range columns {
		if c.Steps == "" {
			continue
		}
		if len(columns) != 1 || c.Type != VertexID || c.Width == "" {
			return fmt.Errorf("paths are one column, of type vertex, with a width that says how many a vertex has; %s has steps",
				c.Name)
		}
		if err := checkCount("steps", c.Steps, params); err != nil {
			return fmt.Errorf("column %s: %w", c.Name, err)
		}
	}
	return nil
}

// CheckPairs fails unless columns may be those of pairs.
func CheckPairs(columns []Column) error {
	if len(columns) != 2 || columns[0].Type != VertexID || columns[1].Type != Float || columns[0].Width == "" ||
		columns[0].Width != columns[1].Width {
		return errors.New("pairs are two columns of the same width: the other vertex, of type vertex, and the score, of type float")
	}
	return nil
}

func (p Param) checkDefault() error {
	message := ""
	switch {
	case p.Default == "":
		return nil
	case p.Type == ParamVertex || p.Type == ParamVertices:
		message = "no vertex is in every graph"
	case p.Type == ParamFloat:
		_, message = p.float(p.Default)
	case p.Type == ParamInt:
		_, message = p.int(p.Default)
	case p.Type == ParamFloats:
		_, message = p.floats(p.Default)
	case p.Type == ParamChoice:
		message = p.noChoice(p.Default)
	}
	if message != "" {
		return fmt.Errorf("default %q: %s", p.Default, message)
	}
	return nil
}

var (
	algorithmName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	columnName    = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*$`)
)

// checkWords fails unless all names are of a form, different, and not too many.
func checkWords(names []string, form *regexp.Regexp) error {
	if len(names) > maxEntries {
		return fmt.Errorf("there are %d; expected %d at most", len(names), maxEntries)
	}
	for i, name := range names {
		switch {
		case len(name) > 64 || !form.MatchString(name):
			return fmt.Errorf("%q is no name: expected %s, 64 letters at most", name[:min(len(name), 100)], form)
		case slices.Contains(names[:i], name):
			return fmt.Errorf("%q is there twice", name)
		}
	}
	return nil
}

// checkText fails unless a text is a line that people can read.
func checkText(text string, wanted bool) error {
	switch {
	case wanted && text == "":
		return errors.New("is missing")
	case len(text) > maxText:
		return fmt.Errorf("has %d bytes; expected %d at most", len(text), maxText)
	case strconv.Quote(text) != `"`+escaped.ReplaceAllString(text, `\$0`)+`"`:
		return fmt.Errorf("%q has characters that cannot be printed", text)
	}
	return nil
}

// escaped are what strconv.Quote escapes and people can read.
var escaped = regexp.MustCompile(`["\\]`)

func notAmong(word string, words []string) error {
	return fmt.Errorf("%q is none of %q", word[:min(len(word), 100)], words)
}
