package csv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graphtest"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

// inputs are files by name; a name may have a label in front.
type inputs [][2]string

// read opens the files and collects their graph. The error has only base names.
func (in inputs) read(t testing.TB, opts formats.Options) (*graphtest.Graph, error) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	opts.Allocator = mem
	dir := t.TempDir()
	var paths []string
	for _, f := range in {
		label, name, found := strings.Cut(f[0], "=")
		if !found {
			label, name = "", f[0]
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(f[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		if found {
			path = label + "=" + path
		}
		paths = append(paths, path)
	}
	src, err := open(context.Background(), paths, opts)
	if err != nil {
		return nil, shorten(t, err, dir)
	}
	defer src.Close()
	g, err := graphtest.Collect(context.Background(), src)
	return g, shorten(t, err, dir)
}

func shorten(t testing.TB, err error, dir string) error {
	if err == nil {
		return nil
	}
	var parse *formats.ParseError
	if !errors.As(err, &parse) {
		t.Errorf("error %v of type %T", err, err)
	}
	return errors.New(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
}

// show spells a graph in a line per row.
func show(g *graphtest.Graph) string {
	var b strings.Builder
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "(%s:%s %v)\n", n.ID, n.Labels, n.Values)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "(%s)-[%s %v]->(%s)\n", e.Src, e.Type, e.Values, e.Dst)
	}
	return b.String()
}

func TestOpen(t *testing.T) {
	for _, c := range []struct {
		name  string
		files inputs
		want  string
	}{
		{"neo4j", inputs{
			{"roles.csv", ":START_ID,role,:END_ID,:TYPE\nkeanu,\"Neo\",m1,ACTED_IN\n"},
			{"movies.csv", "movieId:ID,title,year:int,:LABEL\nm1,\"The \"\"Matrix\"\"\",1999,Movie\nm2,,,Movie;Sequel\n"},
			{"actors.csv", "personId:ID,name,born:date,:LABEL,:IGNORE\nkeanu,\"Reeves, Keanu\",1964-09-02,Actor,x\n"},
		}, `(m1:Movie [m1 The "Matrix" 1999 <nil> <nil> <nil>])
(m2:Movie;Sequel [m2 <nil> <nil> <nil> <nil> <nil>])
(keanu:Actor [<nil> <nil> <nil> keanu Reeves, Keanu -1947])
(keanu)-[ACTED_IN [Neo]]->(m1)
`},
		{"id spaces", inputs{
			{"a.csv", ":ID(A)\n1\n"}, {"b.csv", ":ID(B)\n1\n"}, {"c.csv", ":ID\n1\n"},
			{"r.csv", ":START_ID(A),:END_ID(B)\n1,1\n"}, {"s.csv", ":START_ID(B),:END_ID\n1,1\n"},
		}, "(A:1: [])\n(B:1: [])\n(1: [])\n(A:1)-[ []]->(B:1)\n(B:1)-[ []]->(1)\n"},
		{"one id space", inputs{
			{"a.csv", ":ID(A)\n1\n2\n"}, {"r.csv", ":START_ID(A),:END_ID(A)\n1,2\n"},
		}, "(1: [])\n(2: [])\n(1)-[ []]->(2)\n"},
		{"neptune", inputs{
			{"v.csv", "~id,~label,code:String(single),n:Int[],when:Date\nv1,airport,ATL,1;2,2020-01-02\n"},
			{"e.csv", "~id,~from,~to,~label,dist:int\ne1,v1,v1,route,809\n"},
		}, "(v1:airport [ATL [1 2] 1577923200000000])\n(v1)-[route [809]]->(v1)\n"},
		{"plain", inputs{{"e.csv", "Weight;Source;TARGET;on;code;share\n1.5;1;2;true;007;1\n2; 3 ;x;false;12;0.5\n;4;5;;;\n"}},
			"(1)-[ [1.5 true 007 1]]->(2)\n(3)-[ [2 false 12 0.5]]->(x)\n(4)-[ [<nil> <nil> <nil> <nil>]]->(5)\n"},
		{"plain, types joined over files", inputs{
			{"e.csv", "src,dst,w,v\n1,2,1,1\n"}, {"f.csv", "from,to,w,v:string\n1,2,1.5,x\n"},
		}, "(1)-[ [1 1]]->(2)\n(1)-[ [1.5 x]]->(2)\n"},
		{"labels of paths", inputs{
			{"Person:Author=p.csv", ":ID,:LABEL\n1,\n2,Old;Author\n"}, {"KNOWS=k.csv", ":START_ID,:END_ID\n1,2\n"},
			{"LIKES=l.csv", ":START_ID,:END_ID,:TYPE\n1,2,\n2,1,HATES\n"},
		}, "(1:Person;Author [])\n(2:Person;Author;Old;Author [])\n(1)-[KNOWS []]->(2)\n(1)-[LIKES []]->(2)\n(2)-[HATES []]->(1)\n"},
		{"blanks, quotes, empty lines", inputs{{"n.csv",
			"\xef\xbb\xbf\r\n:ID\ta:string\tb:int[]\tc:string\r\n\r\n 1 \t\"\"\t\"\"\t \r\n\" 1\"\t\t7;8\t\"two\r\nlines\""}},
			"(1: [ []  ])\n( 1: [<nil> [7 8] two\r\nlines])\n"},
		{"types", inputs{{"n.csv", ":ID|a:byte|b:short|c:long|d:float|e:double|f:boolean|g:char|h:datetime|i:localdatetime\n" +
			"1|-128|32767|-9223372036854775808|1e3|-inf|TRUE|é|2024-02-29T12:00:00+01:00|2024-02-29T12:00:00.000001\n"}},
			"(1: [-128 32767 -9223372036854775808 1000 -Inf true é 1709204400000000 1709208000000001])\n"},
		{"header alone", inputs{{"n.csv", ":ID,a:int"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := c.files.read(t, formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(g); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func TestOpen_TypesOfPlainColumns(t *testing.T) {
	g, err := inputs{{"e.csv", "source,target,i,f,b,s,none,late:boolean\n1,2,-1,1,true,x,,true\n1,2,7,1e5,False,1,,\n"}}.read(t, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []arrow.DataType{
		arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64, arrow.FixedWidthTypes.Boolean,
		arrow.BinaryTypes.String, arrow.BinaryTypes.String, arrow.FixedWidthTypes.Boolean,
	}
	for i, f := range g.EdgeSchema.Fields() {
		if !arrow.TypeEqual(f.Type, want[i]) || !f.Nullable {
			t.Errorf("column %v, want %v", f, want[i])
		}
	}
}

func TestOpen_Delimiter(t *testing.T) {
	g, err := inputs{{"e.csv", "source~target~a,b\n1~2~x\n"}}.read(t, formats.Options{Delimiter: '~'})
	if err != nil || !reflect.DeepEqual(g.Edges, []graphtest.Edge{{Src: "1", Dst: "2", Values: []any{"x"}}}) {
		t.Errorf("got %v, %v", g, err)
	}
}

// TestOpen_Batches reads more rows than a batch has.
func TestOpen_Batches(t *testing.T) {
	var text strings.Builder
	text.WriteString("source,target,w\n")
	const rows = formats.BatchRows + 10
	for i := range rows {
		fmt.Fprintf(&text, "%d,%d,%d\n", i, i+1, i)
	}
	g, err := inputs{{"e.csv", text.String()}}.read(t, formats.Options{})
	if err != nil || len(g.Edges) != rows || g.Edges[rows-1].Values[0] != int64(rows-1) {
		t.Errorf("%d edges, %v", len(g.Edges), err)
	}
}

func TestOpen_Bad(t *testing.T) {
	const types = "string, int, long, short, byte, double, float, boolean, char, date, datetime, localdatetime, or one of them with []"
	const headers = `a header such as ":ID,name,:LABEL" for nodes, ":START_ID,:END_ID,:TYPE,weight:double" for relationships, or plain names: "id,name" for nodes, "source,target,weight" for relationships`
	for _, c := range []struct {
		name  string
		files inputs
		want  string
	}{
		{"empty", inputs{{"a.csv", ""}}, "a.csv: an empty file; expected " + headers},
		{"no header", inputs{{"a.csv", "x,y\n1,2\n"}}, "a.csv:1: a header that names neither nodes nor relationships; expected " + headers},
		{"no end", inputs{{"a.csv", ":START_ID,:TYPE\n"}},
			"a.csv:1: this header; expected a column :END_ID beside :START_ID"},
		{"no start", inputs{{"a.csv", "\n~to,x\n"}}, "a.csv:2: this header; expected a column :START_ID beside :END_ID"},
		{"no id", inputs{{"a.csv", ":LABEL,x\n"}}, "a.csv:1: this header; expected a column :ID"},
		{"both kinds", inputs{{"a.csv", ":ID,:START_ID,:END_ID\n"}},
			"a.csv:1: this header; expected either a node's :ID or a relationship's :START_ID and :END_ID"},
		{"type of a node", inputs{{"a.csv", ":ID,:TYPE\n"}},
			"a.csv:1: this header; expected columns :START_ID and :END_ID beside :TYPE"},
		{"two ids", inputs{{"a.csv", ":ID,b:ID\n"}}, `a.csv:1:5: "b:ID"; expected one such column only`},
		{"same name", inputs{{"a.csv", ":ID,x,x:int\n"}}, `a.csv:1:7: "x:int"; expected one column only of each name`},
		{"unknown type", inputs{{"a.csv", ":ID,x:integr\n"}},
			`a.csv:1:5: "x:integr"; expected a type: did you mean "integer"? Known are ` + types},
		{"type far off", inputs{{"a.csv", ":ID,x:geometry\n"}}, `a.csv:1:5: "x:geometry"; expected a type: ` + types},
		{"no name", inputs{{"a.csv", ":ID,\n"}}, `a.csv:1:5: ""; expected a name, or :IGNORE for a column to leave out`},
		{"types differ", inputs{{"a.csv", ":ID,x:int\n"}, {"b.csv", ":ID,x\n"}},
			`b.csv:1:5: property "x" of type utf8; expected int64, as at a.csv:1:5`},
		{"unknown space", inputs{{"a.csv", ":ID(A)\n"}, {"b.csv", ":START_ID(A),:END_ID(B)\n"}},
			`b.csv:1:14: the id space "B"; expected one that nodes have: A`},
		{"too few fields", inputs{{"a.csv", ":ID,x\n1,\"a\nb\"\n2\n"}}, "a.csv:4: 1 fields; expected 2 as in the header"},
		{"too many fields", inputs{{"a.csv", ":ID,x\n1,2,3\n"}}, "a.csv:2: 3 fields; expected 2 as in the header"},
		{"no id in a row", inputs{{"a.csv", ":ID,x\n,2\n"}}, `a.csv:2:1: ""; expected an id: an integer or text`},
		{"no integer", inputs{{"a.csv", ":ID,x:int\n1,2.5\n"}},
			`a.csv:2:3: "2.5"; expected an integer from -9223372036854775808 to 9223372036854775807`},
		{"overflow", inputs{{"a.csv", ":ID,x:long\n1,9223372036854775808\n"}},
			`a.csv:2:3: "9223372036854775808"; expected an integer from -9223372036854775808 to 9223372036854775807`},
		{"overflow of a byte", inputs{{"a.csv", ":ID,x:byte\n1,128\n"}},
			`a.csv:2:3: "128"; expected an integer from -128 to 127`},
		{"NaN", inputs{{"a.csv", "source,target,weight:double\n1,2,NaN\n"}},
			`a.csv:2:5: "NaN"; expected a number, not NaN, up to 1.8e308`},
		{"too large", inputs{{"a.csv", ":ID,x:double\n1,1e309\n"}},
			`a.csv:2:3: "1e309"; expected a number, not NaN, up to 1.8e308`},
		{"no boolean", inputs{{"a.csv", ":ID,x:boolean\n1,yes\n"}}, `a.csv:2:3: "yes"; expected true or false`},
		{"two characters", inputs{{"a.csv", ":ID,x:char\n1,ab\n"}}, `a.csv:2:3: "ab"; expected one character`},
		{"no date", inputs{{"a.csv", ":ID,x:date\n1,2023-02-29\n"}},
			`a.csv:2:3: "2023-02-29"; expected a date such as 2024-02-29`},
		{"list", inputs{{"a.csv", ":ID,x:int[]\n1,1;;2\n"}},
			`a.csv:2:3: "1;;2"; expected a list parted by ';', of which each is an integer from -9223372036854775808 to 9223372036854775807`},
		{"inferred", inputs{{"a.csv", "source,target,w\n" + strings.Repeat("1,2,3\n", inferRows) + "1,2,x\n"}},
			`a.csv:1002:5: "x"; expected an integer from -9223372036854775808 to 9223372036854775807, as in the first rows; or name a type in the header, such as w:string`},
		{"quote inside", inputs{{"a.csv", ":ID,x\n1,a\"b\n"}},
			`a.csv:2:3: "a\"b"; expected no quote inside a field without quotes: quote the field and double the quotes in it`},
		{"text after a quote", inputs{{"a.csv", ":ID,x\n1,\"a\"b\n"}},
			`a.csv:2:3: "a"; expected ',' or the end of the line after the closing quote`},
		{"open quote", inputs{{"a.csv", ":ID,x\n1,\"a\n"}},
			`a.csv:2:3: "a"; expected a closing quote before the end of the file`},
		{"binary", inputs{{"a.csv", ":ID,x\n1,\xff\n"}}, "a.csv:2:3: binary data; expected UTF-8 text"},
		{"binary id", inputs{{"a.csv", ":ID,x\n\xff,a\n"}}, "a.csv:2:1: binary data; expected an id: an integer or text"},
		{"binary label", inputs{{"a.csv", ":ID,:LABEL\n1,\xff\n"}}, "a.csv:2: binary data; expected labels"},
		{"NUL", inputs{{"a.csv", ":ID,x\n1,\x00\n"}}, "a.csv:2: binary data; expected text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.files.read(t, formats.Options{})
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		":ID,name\n1,a\n": true, "~id;~label\n": true, "Source\tTarget\n1\t2\n": true, "src|dst|w": true,
		"\"source\",\"target\"\n": true, ":ID,x:nonsense\n": true,
		"1,2,3\n": false, "a,b\n": false, "": false, "source\ttarget\x00": false, "{\"a\": 1}": false,
	} {
		if got := Sniff([]byte(text), "x.csv"); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, seed := range []string{
		":ID,name,:LABEL\n1,a,B;C\n", "id:ID(S)|x:int[]|y:datetime\n1|1;2|2024-01-01T00:00:00Z\n",
		":START_ID,:END_ID,:TYPE,w:double\n1,2,T,-inf\n", "~id,~from,~to,~label,dist:int\n1,2,3,x,4\n",
		"source,target,w,v\n1,2,3,true\n3,4,0.5,x\n", "\"source\";\"target\"\n1;\"a\n\nb\"\n", "src\tdst\n\" \"\t7\n",
	} {
		f.Add([]byte(seed))
	}
	path := filepath.Join(f.TempDir(), "fuzz.csv")
	f.Fuzz(func(t *testing.T, content []byte) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		defer mem.AssertSize(t, 0)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		var want *graphtest.Graph
		var err error
		sourcetest.CheckAllocated(t, len(content), func() { want, err = readAgain(path, mem) })
		if err != nil {
			var parse *formats.ParseError
			if !errors.As(err, &parse) || parse.File != path {
				t.Fatalf("error %v of type %T", err, err)
			}
			return
		}
		checkRewritten(t, want, mem)
	})
}

func readAgain(path string, mem memory.Allocator) (*graphtest.Graph, error) {
	src, err := open(context.Background(), []string{path}, formats.Options{Allocator: mem, Memory: sourcetest.FuzzMemory})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	return graphtest.Collect(context.Background(), src)
}

// checkRewritten writes what was read, unless it has no spelling, and reads it again.
func checkRewritten(t *testing.T, want *graphtest.Graph, mem memory.Allocator) {
	want.NodeLabels, want.EdgeType = true, true
	dir := t.TempDir()
	err := Write(context.Background(), want.Source(mem, 100), dir, mem)
	if err != nil {
		return
	}
	name := Files[1]
	if want.NodesDeclared {
		name = Files[0]
	}
	got, err := readAgain(filepath.Join(dir, name), mem)
	if err != nil {
		t.Fatal(err)
	}
	if difference := graphtest.Diff(want, got); difference != "" {
		t.Fatal(difference)
	}
}

// TestOpen_PlainNodes: nodes have plain names too, with types that are found.
func TestOpen_PlainNodes(t *testing.T) {
	nodes := inputs{{"n.csv", "Id,Label,age\nx-1,Ann,31\nb,Ben,\n"}, {"e.csv", "Source,Target,Weight\nx-1,b,2\n"}}
	g, err := nodes.read(t, formats.Options{})
	if err != nil || len(g.Nodes) != 2 || !reflect.DeepEqual(g.Nodes[0].Values, []any{"Ann", int64(31)}) ||
		!reflect.DeepEqual(g.Edges, []graphtest.Edge{{Src: "x-1", Dst: "b", Values: []any{int64(2)}}}) {
		t.Errorf("got %+v, %v", g, err)
	}
}
