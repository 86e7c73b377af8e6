package algorithms_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

// influence is a definition that has everything.
func influence() algorithms.Definition {
	return algorithms.Definition{
		Name: "influence", Aliases: []string{"reach-2"}, Summary: "how many vertices are near", Source: "nobody, 2026",
		Params: []algorithms.ParamDefinition{
			{Name: "steps", Type: "int", Default: "2", Min: 1, Max: 9, Doc: "how far"},
			{Name: "from", Type: "vertex", Optional: true, Doc: "where to begin"},
			{Name: "weight", Type: "property", Default: "weight", Optional: true, Doc: "of edges"},
			{Name: "kind", Type: "choice", Choices: []string{"near", "far"}, Default: "near", Doc: "of what"},
			{Name: "shares", Type: "floats", Default: "1, 0.5", Doc: "what each step counts"},
			{Name: "seed", Type: "vertex-property", Values: "int", Missing: "-1", Optional: true, Doc: "where to begin"},
			{Name: "size", Type: "vertex-property", Values: "float", Doc: "of each"},
			{Name: "at", Type: "vectors", Default: "position", Optional: true, Doc: "where each is"},
		},
		Result: []algorithms.ResultColumn{{Name: "score", Type: "float"}, {Name: "nearest", Type: "vertex"},
			{Name: "parts", Type: "float", Width: "steps"}},
		Edges: "both",
	}
}

// paths are a result of so many, each of so many vertices.
func paths(steps, count string) []algorithms.ResultColumn {
	return []algorithms.ResultColumn{{Name: "path", Type: "vertex", Width: count, Steps: steps}}
}

// TestDefine_Paths: a column of paths has as many values of a vertex as all of its paths together.
func TestDefine_Paths(t *testing.T) {
	d := influence()
	d.Params = append(d.Params[:1], algorithms.ParamDefinition{Name: "most", Type: "int", Default: "5", Min: 1, Max: 10_000, Doc: "of each"})
	d.Result = paths("most", "steps")
	d.Params[0].Max = 9000
	a, err := algorithms.Define(d)
	if err != nil {
		t.Fatal(err)
	}
	env := algorithms.Env{Vertex: func(string) (int64, error) { return 7, nil }}
	args, err := a.Bind(nil, env)
	if err != nil || a.Columns(args)[0].Per() != 10 || a.Columns(args)[0].Path != 5 {
		t.Errorf("bound to %+v, %v; expected 2 paths of 5 vertices", a.Columns(args), err)
	}
	if _, err := a.Bind(map[string]string{"most": "9999", "steps": "8000"}, env); err == nil {
		t.Error("8000 paths of 9999 vertices were bound")
	}
}

// rowsOfTwo are the columns of a table.
func rowsOfTwo() []algorithms.ResultColumn {
	return []algorithms.ResultColumn{{Name: "one", Type: "vertex"}, {Name: "many", Type: "float", Width: "steps"}}
}

// TestDefine_Table: how many rows a table has at most is a product of what is known before a run.
func TestDefine_Table(t *testing.T) {
	d := influence()
	d.Params = append(d.Params[:1], algorithms.ParamDefinition{Name: "of", Type: "vertices", Doc: "of whom"})
	d.Result = rowsOfTwo()
	env := algorithms.Env{N: 5, M: 11, Vertex: func(user string) (int64, error) { return int64(len(user)), nil }}
	for rows, want := range map[string]int{"edges": 11, "vertices * steps": 15, "of*of*2": 8, "7": 7,
		"vertices*edges*1000000000000*5": algorithms.MaxRows} {
		d.Rows = rows
		a, err := algorithms.Define(d)
		if err != nil {
			t.Fatal(err)
		}
		args, err := a.Bind(map[string]string{"steps": "3", "of": "a,bc"}, env)
		var wide *algorithms.ParamError
		if want == algorithms.MaxRows && !errors.As(err, &wide) {
			t.Errorf("3 values in each of %d rows: %v; expected that it is too much", want, err)
		}
		if got := a.Columns(args); got[0].Rows != want || got[1].Count(5) != uint64(3*want) || a.Shape != algorithms.OfRows {
			t.Errorf("%s makes room as %+v; expected %d rows", rows, got, want)
		}
	}
	d.Rows = "edges"
	a, err := algorithms.Define(d)
	if err != nil {
		t.Fatal(err)
	}
	env.M = 0
	if args, err := a.Bind(map[string]string{"of": "a"}, env); err != nil || a.Columns(args)[0].Rows != 1 {
		t.Errorf("without edges: %+v, %v; a table has room for a row", a.Columns(args), err)
	}
}

// TestDefine_Vectors: a parameter of vectors is bound to how many numbers these have, and by default to what the graph
// has.
func TestDefine_Vectors(t *testing.T) {
	a, err := algorithms.Define(influence())
	if err != nil {
		t.Fatal(err)
	}
	env := algorithms.Env{VertexColumns: []algorithms.Column{{Name: "mass", Type: algorithms.Float}},
		Vertex:      func(string) (int64, error) { return 7, nil },
		VectorWidth: func(string) (int, error) { return 12, nil }}
	given := map[string]string{"size": "mass"}
	if args, err := a.Bind(given, env); err != nil || len(a.VectorInputs(args)) != 0 {
		t.Errorf("without vectors: %+v, %v", args, err)
	}
	env.Vectors = []string{"position", "mass"}
	args, err := a.Bind(given, env)
	if err != nil {
		t.Fatal(err)
	}
	if in := a.VectorInputs(args); len(in) != 1 || in[0].Properties[0] != "position" || in[0].Width != 12 || !in[0].Given {
		t.Errorf("it is given %+v", in)
	}
	given["at"] = "where"
	if _, err := a.Bind(given, env); err == nil {
		t.Error("vectors that there are not were bound")
	}
}

func TestDefine(t *testing.T) {
	a, err := algorithms.Define(influence())
	if err != nil {
		t.Fatal(err)
	}
	env := algorithms.Env{EdgeColumns: []string{"weight"}, Vertex: func(string) (int64, error) { return 7, nil },
		VertexColumns: []algorithms.Column{{Name: "mass", Type: algorithms.Float}, {Name: "team", Type: algorithms.Int}}}
	args, err := a.Bind(map[string]string{"from": "x", "size": "team"}, env)
	if err != nil {
		t.Fatal(err)
	}
	if args.Ints["steps"] != 2 || args.Ints["from"] != 7 || args.Strings["kind"] != "near" {
		t.Errorf("bound to %+v", args)
	}
	if got := a.Procedure.EdgeColumns(args); len(got) != 1 || got[0] != "weight" {
		t.Errorf("it reads the edge columns %q; expected weight", got)
	}
	if a.Procedure.Edges != algorithms.BothSides || a.Result[1].Type != algorithms.VertexID {
		t.Errorf("defined as %+v, %+v", a.Procedure, a.Result)
	}
	if got := a.Columns(args); got[2].Per() != 2 || got[0].Per() != 1 || !slices.Equal(args.Lists["shares"], []float64{1, 0.5}) {
		t.Errorf("bound to columns %+v, lists %v", got, args.Lists)
	}
	size := algorithms.VertexInput{Property: "team",
		Column: algorithms.Column{Name: "vertex.size", Type: algorithms.Float}}
	if got := a.VertexInputs(args); !slices.Equal(got, []algorithms.VertexInput{size}) {
		t.Errorf("it is given the vertex properties %+v; expected %+v", got, size)
	}
	if args, err = a.Bind(map[string]string{"size": "mass", "seed": "team"}, env); err != nil ||
		len(a.VertexInputs(args)) != 2 || a.VertexInputs(args)[0].Missing != "-1" {
		t.Errorf("it is given the vertex properties %+v, %v; expected two", a.VertexInputs(args), err)
	}
	if _, err := a.Bind(map[string]string{"size": "mass", "seed": "mass"}, env); err == nil {
		t.Error("floats were bound where whole numbers are wanted")
	}
	if _, err := a.Bind(map[string]string{"size": "mas"}, env); err == nil {
		t.Error("a vertex property that there is not was bound")
	}
	if _, err := a.Bind(map[string]string{"size": "mass", "shares": "1,,2"}, env); err == nil {
		t.Error("a list with a number that is empty was bound")
	}
	if _, err := a.Bind(map[string]string{"size": "mass", "steps": "10"}, env); err == nil {
		t.Error("10 steps were bound; at most 9 are allowed")
	}
}

// TestDefine_Refuses changes one thing of a good definition at a time.
func TestDefine_Refuses(t *testing.T) {
	for _, c := range []struct {
		field  string
		change func(*algorithms.Definition)
	}{
		{"name", func(d *algorithms.Definition) { d.Name = "" }},
		{"name", func(d *algorithms.Definition) { d.Name = "In Fluence" }},
		{"name", func(d *algorithms.Definition) { d.Name = strings.Repeat("a", 65) }},
		{"name", func(d *algorithms.Definition) { d.Aliases = []string{"influence"} }},
		{"name", func(d *algorithms.Definition) { d.Aliases = make([]string, 100) }},
		{"summary", func(d *algorithms.Definition) { d.Summary = "" }},
		{"summary", func(d *algorithms.Definition) { d.Summary = "two\nlines" }},
		{"summary", func(d *algorithms.Definition) { d.Summary = "\x1b[31mred" }},
		{"source", func(d *algorithms.Definition) { d.Source = strings.Repeat("a", 2001) }},
		{"edges", func(d *algorithms.Definition) { d.Edges = "sideways" }},
		{"parameters", func(d *algorithms.Definition) { d.Params[1].Name = "steps" }},
		{"parameter steps", func(d *algorithms.Definition) { d.Params[0].Type = "number" }},
		{"parameter steps", func(d *algorithms.Definition) { d.Params[0].Default = "12" }},
		{"parameter steps", func(d *algorithms.Definition) { d.Params[0].Default = "two" }},
		{"parameter steps", func(d *algorithms.Definition) { d.Params[0].Max = math.Inf(1) }},
		{"parameter steps", func(d *algorithms.Definition) { d.Params[0].Choices = []string{"a"} }},
		{"parameter steps", func(d *algorithms.Definition) { d.Params[0].Doc = "" }},
		{"parameter from", func(d *algorithms.Definition) { d.Params[1].Default = "1" }},
		{"parameter kind", func(d *algorithms.Definition) { d.Params[3].Default = "other" }},
		{"parameter kind", func(d *algorithms.Definition) { d.Params[3].Choices = nil }},
		{"parameter shares", func(d *algorithms.Definition) { d.Params[4].Default = "1,two" }},
		{"parameter seed", func(d *algorithms.Definition) { d.Params[5].Values = "bool" }},
		{"parameter seed", func(d *algorithms.Definition) { d.Params[5].Values = "" }},
		{"parameter seed", func(d *algorithms.Definition) { d.Params[5].Missing = "0.5" }},
		{"parameter size", func(d *algorithms.Definition) { d.Params[6].Missing = "NaN" }},
		{"parameter from", func(d *algorithms.Definition) { d.Params[1].Values = "int" }},
		{"parameter kind", func(d *algorithms.Definition) { d.Params[3].Missing = "near" }},
		{"column parts", func(d *algorithms.Definition) { d.Result[2].Width = "from" }},
		{"column parts", func(d *algorithms.Definition) { d.Result[2].Width = "breadth" }},
		{"column parts", func(d *algorithms.Definition) { d.Params[0].Min = 0 }},
		{"column parts", func(d *algorithms.Definition) { d.Params[0].Max = 1 << 17 }},
		{"column parts", func(d *algorithms.Definition) { d.Params[0].Default, d.Params[0].Optional = "", true }},
		{"result", func(d *algorithms.Definition) { d.Result = nil }},
		{"result", func(d *algorithms.Definition) { d.Result[1].Name = "score" }},
		{"result", func(d *algorithms.Definition) { d.Result[1].Name = "id" }},
		{"column score", func(d *algorithms.Definition) { d.Result[0].Type = "complex" }},
		{"parameter at", func(d *algorithms.Definition) { d.Params[7].Values = "float" }},
		{"result", func(d *algorithms.Definition) { d.Result[1].Width, d.Result[1].Steps = "steps", "steps" }}, // not alone
		{"rows", func(d *algorithms.Definition) { d.Rows = "edges" }},                                          // the first column is a float
		{"rows", func(d *algorithms.Definition) { d.Result, d.Rows = rowsOfTwo(), "edges*" }},
		{"rows", func(d *algorithms.Definition) { d.Result, d.Rows = rowsOfTwo(), "0" }},
		{"rows", func(d *algorithms.Definition) { d.Result, d.Rows = rowsOfTwo(), "-3" }},
		{"rows", func(d *algorithms.Definition) { d.Result, d.Rows = rowsOfTwo(), "from" }},
		{"rows", func(d *algorithms.Definition) { d.Result, d.Rows = rowsOfTwo(), "edges+1" }},
		{"rows", func(d *algorithms.Definition) { d.Result, d.Rows = rowsOfTwo(), strings.Repeat("1*", 2000) }},
		{"rows", func(d *algorithms.Definition) { d.Result, d.Rows = rowsOfTwo(), "steps"; d.Result[0].Width = "steps" }},
		{"rows", func(d *algorithms.Definition) {
			d.Result, d.Pairs, d.Rows = []algorithms.ResultColumn{{Name: "other", Type: "vertex", Width: "steps"},
				{Name: "score", Type: "float", Width: "steps"}}, true, "edges"
		}},
		{"result", func(d *algorithms.Definition) { d.Result = paths("from", "steps") }},
		{"result", func(d *algorithms.Definition) { d.Result = paths("steps", "steps"); d.Result[0].Width = "" }},
		{"result", func(d *algorithms.Definition) { d.Result = paths("steps", "steps"); d.Result[0].Type = "int" }},
	} {
		d := influence()
		c.change(&d)
		_, err := algorithms.Define(d)
		var wrong *algorithms.DefinitionError
		if !errors.As(err, &wrong) || wrong.Field != c.field {
			t.Errorf("%+v: %v; expected what is wrong with its %s", d, err, c.field)
		}
	}
}

func TestDefineAll(t *testing.T) {
	first, second := influence(), influence()
	if _, err := algorithms.DefineAll([]algorithms.Definition{first, second}); err == nil {
		t.Error("one name was defined twice")
	}
	second.Name, second.Aliases = "reach-2", nil // an alias of the first
	if _, err := algorithms.DefineAll([]algorithms.Definition{first, second}); err == nil {
		t.Error("the alias of another was defined")
	}
	second.Name = "reach-3"
	if all, err := algorithms.DefineAll([]algorithms.Definition{first, second}); err != nil || len(all) != 2 {
		t.Errorf("defined %d algorithms, %v; expected 2", len(all), err)
	}
	if _, err := algorithms.DefineAll(make([]algorithms.Definition, 1000)); err == nil {
		t.Error("1000 algorithms were defined")
	}
}

// FuzzDefinition: whatever a plugin says is refused, or an algorithm that can be bound or says why not.
func FuzzDefinition(f *testing.F) {
	text, err := json.Marshal(influence())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"name":"x","summary":"y","edges":"forward","result":[{"name":"z","type":"bool"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var d algorithms.Definition
		if json.Unmarshal(text, &d) != nil {
			return
		}
		a, err := algorithms.Define(d)
		var wrong *algorithms.DefinitionError
		if err != nil {
			if !errors.As(err, &wrong) {
				t.Errorf("%v is no DefinitionError", err)
			}
			return
		}
		args, err := a.Bind(nil, algorithms.Env{Vertex: func(string) (int64, error) { return 0, nil }})
		var param *algorithms.ParamError
		if err != nil && !errors.As(err, &param) {
			t.Errorf("%v is no ParamError", err)
		}
		a.Procedure.EdgeColumns(args)
	})
}
