package mtx

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

// lagraphGood are the files of LAGraph's data folder that are graphs, with the counts
// that their size lines announce; a skew-symmetric entry is two edges.
var lagraphGood = []struct {
	name            string
	vertices, edges int
	orientation     formats.Orientation
}{
	{"A.mtx", 7, 15, formats.Undirected},
	{"A2.mtx", 7, 15, formats.Undirected},
	{"LFAT5.mtx", 14, 30, formats.Undirected},
	{"LFAT5_hypersparse.mtx", 2000, 30, formats.Undirected},
	{"LFAT5_two.mtx", 28, 60, formats.Undirected},
	{"bcsstk13.mtx.gz", 2003, 42943, formats.Undirected},
	{"comments_cover.mtx", 7, 12, formats.Directed},
	{"comments_full.mtx", 3, 9, formats.Directed},
	{"cover.mtx", 7, 12, formats.Directed},
	{"cover_structure.mtx", 7, 12, formats.Directed},
	{"cryg2500.mtx.gz", 2500, 12349, formats.Directed},
	{"full.mtx", 3, 9, formats.Directed},
	{"full_noheader.mtx", 3, 9, formats.Directed},
	{"full_symmetric.mtx", 4, 10, formats.Undirected},
	{"jagmesh7.mtx", 1138, 4294, formats.Undirected},
	{"karate.mtx", 34, 78, formats.Undirected},
	{"ldbc-cdlp-directed-example.mtx", 8, 18, formats.Directed},
	{"ldbc-cdlp-undirected-example.mtx", 8, 12, formats.Undirected},
	{"ldbc-directed-example-bool.mtx", 10, 17, formats.Directed},
	{"ldbc-directed-example-unweighted.mtx", 10, 17, formats.Directed},
	{"ldbc-directed-example.mtx", 10, 17, formats.Directed},
	{"ldbc-undirected-example-bool.mtx", 9, 12, formats.Undirected},
	{"ldbc-undirected-example-unweighted.mtx", 9, 12, formats.Undirected},
	{"ldbc-undirected-example.mtx", 9, 12, formats.Undirected},
	{"ldbc-wcc-example.mtx", 10, 15, formats.Undirected},
	{"matrix_bool.mtx", 7, 12, formats.Directed},
	{"matrix_fp32_structure.mtx", 7, 12, formats.Directed},
	{"matrix_int16.mtx", 7, 12, formats.Directed},
	{"matrix_int32.mtx", 7, 12, formats.Directed},
	{"matrix_int64.mtx", 7, 12, formats.Directed},
	{"matrix_int8.mtx", 7, 12, formats.Directed},
	{"matrix_uint16.mtx", 7, 12, formats.Directed},
	{"matrix_uint32.mtx", 7, 12, formats.Directed},
	{"matrix_uint8.mtx", 7, 12, formats.Directed},
	{"msf1.mtx", 6, 8, formats.Directed},
	{"msf2.mtx", 8, 12, formats.Directed},
	{"msf3.mtx", 5, 7, formats.Directed},
	{"olm1000.mtx", 1000, 3996, formats.Directed},
	{"pushpull.mtx.gz", 4000, 99208, formats.Undirected},
	{"sample.mtx", 8, 12, formats.Directed},
	{"sample2.mtx", 8, 28, formats.Directed},
	{"skew_int16.mtx", 6, 20, formats.Directed},
	{"skew_int32.mtx", 6, 20, formats.Directed},
	{"skew_int64.mtx", 6, 20, formats.Directed},
	{"skew_int8.mtx", 6, 20, formats.Directed},
	{"structure.mtx", 7, 12, formats.Directed},
	{"test_BF.mtx", 7, 12, formats.Directed},
	{"test_FW_1000.mtx", 1000, 3996, formats.Directed},
	{"test_FW_2500.mtx", 2500, 7852, formats.Directed},
	{"tree-example.mtx", 6, 5, formats.Undirected},
	{"west0067.mtx", 67, 294, formats.Directed},
	{"west0067_jumbled.mtx", 67, 294, formats.Directed},
	{"west0067_noheader.mtx", 67, 294, formats.Directed},
	{"zenios.mtx", 2873, 15032, formats.Undirected},
}

// lagraphBad are the others: what follows the path in the error, and why.
var lagraphBad = []struct{ name, want string }{
	// NaN in the first entry, which LAGraph reads
	{"comments_west0067.mtx", ":6:5: value \"nan\"; expected a finite number (double)"},
	// a valid file, but weights are real
	{"complex.mtx", ":1: complex values, which are not supported; expected real, double, integer or pattern"},
	// valid, but rectangular
	{"empty.mtx", ":4: a matrix of 3 rows and 4 columns; expected a square one: rows and columns are the same vertices"},
	// valid, but rectangular
	{"lp_afiro.mtx", ":65: a matrix of 27 rows and 51 columns; expected a square one: rows and columns are the same vertices"},
	// valid, but rectangular
	{"lp_afiro_structure.mtx", ":3: a matrix of 27 rows and 51 columns; expected a square one: rows and columns are the same vertices"},
	// the object is not "matrix"
	{"mangled1.mtx", ":1: object \"mangled\"; expected matrix"},
	// an entry is missing; rectangular, which is met first
	{"mangled10.mtx", ":4: a matrix of 3 rows and 4 columns; expected a square one: rows and columns are the same vertices"},
	// words for numbers; rectangular, which is met first
	{"mangled11.mtx", ":4: a matrix of 3 rows and 4 columns; expected a square one: rows and columns are the same vertices"},
	// a value is missing; rectangular, which is met first
	{"mangled12.mtx", ":4: a matrix of 3 rows and 4 columns; expected a square one: rows and columns are the same vertices"},
	// a column out of range; rectangular, which is met first
	{"mangled13.mtx", ":4: a matrix of 3 rows and 4 columns; expected a square one: rows and columns are the same vertices"},
	// one place twice; rectangular, which is met first (the place alone would be a parallel edge)
	{"mangled14.mtx", ":5: a matrix of 3 rows and 4 columns; expected a square one: rows and columns are the same vertices"},
	// real with a complex type
	{"mangled15.mtx", ":2: GraphBLAS type \"float complex\"; expected bool, int8_t to uint64_t, float or double"},
	// real with a complex type
	{"mangled16.mtx", ":2: GraphBLAS type \"double complex\"; expected bool, int8_t to uint64_t, float or double"},
	// the format is unknown
	{"mangled2.mtx", ":1: format \"mangled\"; expected coordinate or array"},
	// the field is unknown
	{"mangled3.mtx", ":1: field \"mangled\"; expected real, double, integer or pattern"},
	// the symmetry is unknown
	{"mangled4.mtx", ":1: symmetry \"mangled\"; expected general, symmetric or skew-symmetric"},
	// hermitian pattern
	{"mangled5.mtx", ":1: hermitian symmetry, which needs complex values; expected general, symmetric or skew-symmetric"},
	// hermitian real
	{"mangled6.mtx", ":1: hermitian symmetry, which needs complex values; expected general, symmetric or skew-symmetric"},
	// the GraphBLAS type is unknown; values are missing too
	{"mangled7.mtx", ":2: GraphBLAS type \"gunk\"; expected bool, int8_t to uint64_t, float or double"},
	// the size line has one number
	{"mangled8.mtx", ":4: \"3\"; expected the number of rows, columns and entries"},
	// symmetric, but rectangular; values are missing too
	{"mangled9.mtx", ":4: a matrix of 3 rows and 4 columns; expected a square one: rows and columns are the same vertices"},
	// a value that the type cannot hold
	{"mangled_bool.mtx", ":10:5: value \"2\"; expected an integer from 0 to 1 (bool)"},
	// an array has no pattern
	{"mangled_format.mtx", ":1: an array of field pattern, which has no values; expected coordinate pattern, or array with another field"},
	// a value that the type cannot hold
	{"mangled_int16.mtx", ":8:5: value \"-32769\"; expected an integer from -32768 to 32767 (int16_t)"},
	// a value that the type cannot hold
	{"mangled_int32.mtx", ":8:5: value \"-2147483649\"; expected an integer from -2147483648 to 2147483647 (int32_t)"},
	// a value that the type cannot hold
	{"mangled_int8.mtx", ":8:5: value \"-129\"; expected an integer from -128 to 127 (int8_t)"},
	// skew-symmetric with an unsigned type
	{"mangled_skew.mtx", ":2: a skew-symmetric matrix of type uint8_t; expected a signed type, because each entry is stored with both signs"},
	// a value that the type cannot hold
	{"mangled_uint16.mtx", ":9:5: value \"65536\"; expected an integer from 0 to 65535 (uint16_t)"},
	// a value that the type cannot hold
	{"mangled_uint32.mtx", ":9:5: value \"4294967296\"; expected an integer from 0 to 4294967295 (uint32_t)"},
	// a value that the type cannot hold
	{"mangled_uint8.mtx", ":9:5: value \"256\"; expected an integer from 0 to 255 (uint8_t)"},
	// valid, but infinite
	{"matrix_fp32.mtx", ":7:5: value \"-inf\"; expected a finite number (float)"},
	// valid, but infinite
	{"matrix_fp64.mtx", ":7:5: value \"-inf\"; expected a finite number (double)"},
	// valid, but over the largest int64
	{"matrix_uint64.mtx", ":8:5: value \"18446744073709551615\"; expected an integer from 0 to 9223372036854775807 (uint64_t)"},
	// valid, but infinite
	{"skew_fp32.mtx", ":5:5: value \"inf\"; expected a finite number (float)"},
	// valid, but infinite
	{"skew_fp64.mtx", ":4:5: value \"inf\"; expected a finite number"},
	// valid, but a vector
	{"sources_7.mtx", ":3: a matrix of 64 rows and 1 columns; expected a square one: rows and columns are the same vertices"},
}

func TestOpen_LAGraph(t *testing.T) {
	for _, c := range lagraphGood {
		t.Run(c.name, func(t *testing.T) {
			g, schema, err := reader.ReadFile(t, sourcetest.SharedData(t, "lagraph-data", c.name), formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(g.Nodes) != c.vertices || len(g.Edges) != c.edges || schema.Orientation != c.orientation {
				t.Errorf("%d vertices, %d edges, orientation %d", len(g.Nodes), len(g.Edges), schema.Orientation)
			}
		})
	}
}

func TestOpen_LAGraphBad(t *testing.T) {
	for _, c := range lagraphBad {
		t.Run(c.name, func(t *testing.T) {
			path := sourcetest.SharedData(t, "lagraph-data", c.name)
			_, _, err := reader.ReadFile(t, path, formats.Options{})
			var parse *formats.ParseError
			if !errors.As(err, &parse) || parse.Line == 0 {
				t.Fatalf("error %v names no line", err)
			}
			if got := strings.TrimPrefix(err.Error(), path); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// No file of the folder is left out of the two tables.
func TestOpen_LAGraphTablesAreComplete(t *testing.T) {
	folder := filepath.Dir(sourcetest.SharedData(t, "lagraph-data", "A.mtx"))
	paths, err := filepath.Glob(filepath.Join(folder, "*.mtx*"))
	if err != nil || len(paths) != len(lagraphGood)+len(lagraphBad) {
		t.Errorf("%d files, %d in the tables, %v", len(paths), len(lagraphGood)+len(lagraphBad), err)
	}
}
