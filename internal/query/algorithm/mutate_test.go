package algorithm

import (
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store"
)

// A property that is added in the place of another takes the memory of one. Nothing is added to what was dropped.
func TestProjections_MutateAgain(t *testing.T) {
	p := &projections{}
	if err := p.keep("g", "p", named{bytes: 10}); err != nil {
		t.Fatal(err)
	}
	var once int64
	for i := range 5 {
		a := store.AddedProperty{Vertices: []uint32{1, 2}}
		a.Name, a.Values = "rank", []value.Value{value.OfFloat(float64(i)), value.OfFloat(2)}
		other := a
		other.Name = "other"
		if err := p.mutate("g", "p", []store.AddedProperty{a, other}); err != nil {
			t.Fatal(err)
		}
		of := p.named["g"]["p"]
		if i == 0 {
			once = of.bytes
		}
		if len(of.Added) != 2 || of.bytes != once || of.Added[0].Values[0].Float() != float64(i) {
			t.Errorf("time %d: %d properties of %d bytes, once %d", i, len(of.Added), of.bytes, once)
		}
	}
	p.drop("g", "p")
	if err := p.mutate("g", "p", nil); err == nil || len(p.named["g"]) > 0 {
		t.Errorf("a projection that was dropped: %v", err)
	}
}

// Relationships that are linked take memory until they are dropped, and no more than projections may.
func TestLinked_TakesMemory(t *testing.T) {
	p := linked{&projections{}}
	if err := p.keep("g", "p", named{Projection: store.Projection{Types: []string{"R"}}, bytes: 10}); err != nil {
		t.Fatal(err)
	}
	found := store.Linked{Type: "S", From: []uint32{1, 2}, To: []uint32{2, 3},
		Properties: []store.LinkedProperty{{Name: "score", Values: []float64{1, 2}}}}
	if err := p.link("g", "p", found); err != nil {
		t.Fatal(err)
	}
	if of := p.named["g"]["p"]; of.bytes != 10+2*16 || len(of.Types) != 2 {
		t.Errorf("%d bytes, types %v", of.bytes, of.Types)
	}
	if err := p.link("g", "p", found); err == nil {
		t.Error("two sets of relationships have one type")
	}
	if _, err := p.unlink("g", "p", "S"); err != nil {
		t.Fatal(err)
	}
	if of := p.named["g"]["p"]; of.bytes != 10 || len(of.Types) != 1 || len(of.Linked) != 0 {
		t.Errorf("what is dropped is still there: %d bytes, types %v", of.bytes, of.Types)
	}
	if _, err := p.unlink("g", "p", "R"); err == nil {
		t.Error("relationships of the graph are dropped")
	}
	if err := p.keep("g", "large", named{bytes: mostHeld - 10 - 31}); err != nil {
		t.Fatal(err)
	}
	if p.link("g", "p", found) == nil {
		t.Error("projections take more than they may")
	}
}
