package delta

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
)

// numbered gives every token below 1000 its number as name.
type numbered struct{}

func (numbered) Name(t Token) string { return strconv.Itoa(int(t)) }

func (numbered) Token(name string) Token {
	n, _ := strconv.Atoi(name)
	return Token(uint(n) % 1000)
}

var numbers = Vocabulary{numbered{}, numbered{}, numbered{}}

// sample changes some of everything.
func sample() *Changes {
	d := (&State{NodeBase: 10, RelationshipBase: 20}).Fork()
	d.CreateNode(10, []Token{1, 7})
	d.CreateNode(11, nil)
	d.SetNodeProperty(3, 2, value.OfString("x"))
	d.SetNodeProperty(3, 1, value.Value{})
	d.DeleteNode(4, []Token{7})
	d.CreateRelationship(20, 10, 3, 5)
	d.SetRelationshipProperty(20, Relationship{}, 4, value.OfList([]value.Value{value.OfInt(1), value.OfFloat(2)}))
	d.DeleteRelationship(6, Relationship{Start: 1, End: 2, Type: 5})
	return d.Changes()
}

// Changes come back out of their encoding, and do the same to a graph.
func TestChanges_Encoded(t *testing.T) {
	want := sample().Append(nil, numbers)
	c, err := Decode(want, numbers)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Append(nil, numbers); !bytes.Equal(got, want) {
		t.Fatalf("%q became %q", want, got)
	}
	s := (&State{NodeBase: 10, RelationshipBase: 20}).Apply(c)
	if s.Counts.Nodes != 1 || s.Counts.Relationships != 0 || s.Counts.Label(7) != 0 || s.Counts.Label(1) != 1 || s.Counts.Type(5) != 0 {
		t.Errorf("%+v", s.Counts)
	}
	if !s.HasNode(10) || s.HasNode(4) || s.HasRelationship(6) || !s.HasRelationship(20) || s.HasRelationship(21) {
		t.Error("other nodes or relationships are there")
	}
	if v, ok := Lookup(s.Nodes.Get(3).Properties, 2); !ok || v.Str() != "x" {
		t.Error("a property is lost")
	}
}

// Bytes that are no changes are an error, never a panic, and what is decoded can be encoded.
func FuzzDecode(f *testing.F) {
	f.Add(sample().Append(nil, numbers))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, src []byte) {
		if c, err := Decode(src, numbers); err == nil {
			if _, err := Decode(c.Append(nil, numbers), numbers); err != nil {
				t.Fatal(err)
			}
		}
	})
}
