package core

import (
	"errors"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// What a survey says of its options is so: of those of highest degree exactly, of intervals but for who has no edge,
// and for edges that are there twice.
func TestSurvey_OptionsAreAsTheySay(t *testing.T) {
	rng := testseed.Rand(t)
	for range 100 {
		n := 1 + rng.Uint64N(400)
		c, edges := randomChunk(t, rng, n)
		degrees := make([]uint32, n)
		for _, e := range edges {
			degrees[e.row]++
			degrees[e.col]++
		}
		s := NewSurvey(Rule{Kind: Auto}, degrees, true, rng.Uint64N(n+1))
		s.Add(c)
		for _, o := range s.Options() {
			set, linked := s.Set(o), NewSet(n)
			if inside := Inside(c, set, linked); inside != o.Entries || set.Count() != o.Vertices || o.interval == nil &&
				linked.Count() != o.Linked || linked.Count() > o.Linked {
				t.Fatalf("%+v: it has %d vertices, %d edges, %d linked", o, set.Count(), inside, linked.Count())
			}
			rule, err := ParseRule(o.Rule)
			if err != nil || !slices.Contains(rule.sizes(n), o.Vertices) && o.interval == nil {
				t.Fatalf("%q asks for %v of %d vertices, not %d: error %v", o.Rule, rule.sizes(n), n, o.Vertices, err)
			}
		}
		c.Release()
	}
}

// A tighter core may be sparser: two hubs that share no edge, before a clique.
func TestSurvey_TighterIsSparser(t *testing.T) {
	options := []Option{{Candidate: Candidate{Linked: 10, Cells: 50}}, {Candidate: Candidate{Linked: 5, Cells: 20}},
		{Candidate: Candidate{Linked: 2, Cells: 0}}}
	markSparser(options)
	if options[0].Sparser || options[1].Sparser || !options[2].Sparser {
		t.Errorf("%+v", options)
	}
}

// The best is that with which the slower device is done soonest.
func TestForecast(t *testing.T) {
	options := []Option{
		{Rule: "all", Candidate: Candidate{Linked: 100, Entries: 1000}},
		{Rule: "some", Candidate: Candidate{Linked: 20, Entries: 700}},
		{Rule: "few", Candidate: Candidate{Linked: 5, Entries: 20}},
	}
	lists, matrix := Rates{Step: Costs{Edge: 1}}, Rates{Load: Costs{Fixed: 1}, Step: Costs{Cell: 0.05}}
	Forecast(options, Work{Vertices: 100, Edges: 1000, Rounds: 2}, lists.Seconds, matrix.Seconds)
	got := []float64{options[0].Seconds, options[1].Seconds, options[2].Seconds}
	if want := []float64{600, 1001, 1960}; !slices.Equal(got, want) || options[0].Rule != "some" {
		t.Errorf("%v; want %v", got, want)
	}
}

func TestParseRule(t *testing.T) {
	for text, want := range map[string]Rule{
		"": {Kind: Auto}, "auto": {Kind: Auto}, "degree": {Kind: Degree}, "degree:10%": {Kind: Degree, Share: 0.1},
		"rabbit:4096": {Kind: Rabbit, Vertices: 4096}, "rabbit:0.5%": {Kind: Rabbit, Share: 0.005},
	} {
		if got, err := ParseRule(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"auto:5%", "hub", "degree:", "degree:0", "degree:0%", "degree:101%", "degree:-1",
		"degree:NaN%", ":5%", "rabbit:5%:6"} {
		var refused *RuleError
		if got, err := ParseRule(text); !errors.As(err, &refused) || refused.Text != text {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}
