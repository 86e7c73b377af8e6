package delta

import (
	"bytes"
	"errors"
	"slices"
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
	if s.Counts.Nodes != 1 || s.Counts.Relationships != 0 || s.Counts.Label(7) != 0 || s.Counts.Label(1) != 1 ||
		s.Counts.Type(5) != 0 {
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

// The encoding is on disks: it stays what it is.
func TestAppend_Golden(t *testing.T) {
	d := (&State{NodeBase: 10, RelationshipBase: 20}).Fork()
	d.CreateNode(10, []Token{3})
	d.CreateNode(11, []Token{1, 3})
	d.SetNodeProperty(11, 6, value.OfInt(1))
	d.SetNodeProperty(2, 6, value.OfInt(1))
	d.DeleteNode(4, []Token{3})
	d.CreateRelationship(20, 10, 2, 5)
	d.CreateRelationship(21, 10, 2, 5)
	d.DeleteRelationship(6, Relationship{Start: 1, End: 2, Type: 7})
	one := value.Append(nil, value.OfInt(1))
	want := slices.Concat(
		[]byte{4, 1, '0', 1, '1', 1, '2', 1, '3'}, // labels
		[]byte{2, 1, '5', 1, '7'},                 // types
		[]byte{1, 1, '6'},                         // keys
		[]byte{2, 4, 0, 0, 1, 2, 2, 0, 3, 2},      // one node more; of label 1 and of label 3 one more each
		[]byte{4},
		[]byte{10, labeledFlag, 1, 3, 0},
		[]byte{11, labeledFlag, 2, 1, 3, 1, 0}, one,
		[]byte{2, 0, 1, 0}, one,
		[]byte{4, deletedFlag},
		[]byte{3},
		[]byte{20, 0, 10, 2, 0, 0},
		[]byte{21, 0, 10, 2, 0, 0},
		[]byte{6, deletedFlag, 1, 2, 1, 0},
	)
	if got := d.Changes().Append([]byte("before"), numbers); !bytes.Equal(got, append([]byte("before"), want...)) {
		t.Errorf("got  %v\nwant %v", got[6:], want)
	}
}

// Less than all, or more, is an error, and so is what names a token or an entry that is not there.
func TestDecode_Damaged(t *testing.T) {
	whole := sample().Append(nil, numbers)
	for n := range whole {
		if c, err := Decode(whole[:n], numbers); !errors.Is(err, errEncoding) || c != nil {
			t.Errorf("the first %d bytes of %d are decoded: %v", n, len(whole), err)
		}
	}
	if _, err := Decode(append(slices.Clone(whole), 0), numbers); !errors.Is(err, errEncoding) {
		t.Errorf("a byte too many: %v", err)
	}
	overlong := bytes.Repeat([]byte{0x80}, 11)
	for what, src := range map[string][]byte{
		"a label of none":           {0, 0, 0, 0, 1, 0, 0, 0, 0},
		"a label behind the last":   {1, 1, '1', 0, 0, 0, 1, 1, 0, 0, 0},
		"more nodes than bytes":     {0, 0, 0, 0, 0, 9, 0},
		"more names than bytes":     {9, 1, '1', 0, 0, 0, 0, 0, 0},
		"a property without value":  {0, 0, 1, 1, '1', 0, 0, 1, 5, 0, 1, 0, 255, 0},
		"a number of eleven bytes":  slices.Concat([]byte{0, 0, 0, 0, 0}, overlong, []byte{0}),
		"an integer of that length": slices.Concat([]byte{0, 0, 0}, overlong, []byte{0, 0, 0}),
	} {
		if c, err := Decode(src, numbers); !errors.Is(err, errEncoding) || c != nil {
			t.Errorf("%s is decoded: %+v, %v", what, c, err)
		}
	}
	if c, err := Decode([]byte{0, 0, 0, 0, 0, 0, 0}, numbers); err != nil || len(c.Nodes)+len(c.Relationships) > 0 {
		t.Errorf("no changes: %+v, %v", c, err)
	}
}
