package queries

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

func compressed(t *testing.T, name, text string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := gzip.NewWriter(f)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Only airports and routes are taken, and of routes that lead both ways one.
func TestAirRoutes(t *testing.T) {
	data := t.TempDir()
	if err := os.Mkdir(filepath.Join(data, airRoutes), 0o700); err != nil {
		t.Fatal(err)
	}
	compressed(t, filepath.Join(data, airRoutes, airports),
		"~id,~label,elev:int,country:string\n0,version,,\n1,airport,10,US\n7,airport,-3,NL\n9,continent,,\n4,airport,0,NL\n")
	compressed(t, filepath.Join(data, airRoutes, routes),
		"~id,~from,~to,~label,dist:int\n11,1,7,route,400\n12,7,1,route,400\n13,4,7,route,30\n14,9,7,contains,\n")
	g, err := makePropertyGraph(t.Context(), (measure.Options{Data: data}), t.TempDir(), airRoutes)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		nodeTable: ":ID,region,score:int\n0,US,10\n1,NL,-3\n2,NL,0\n",
		edgeTable: ":START_ID,:END_ID,weight:int\n0,1,400\n1,2,30\n",
	} {
		if got, err := os.ReadFile(g.file(name)); err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	if got := (query{sources: 5}).on(g).IDs; len(got) != 2 || got[0] != 0 || got[1] != 1 {
		t.Error("paths begin at", got)
	}
}

func TestAnswersThatDisagreeAreShown(t *testing.T) {
	err := &AnswerError{"RETURN 1", []string{"1", "2"}, []string{"1"}}
	if !strings.Contains(err.Error(), "row 2 of 2 is 2 here, by Kuzu it is the end, of 1") {
		t.Error(err)
	}
}
