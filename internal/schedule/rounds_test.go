package schedule

import "testing"

func TestRounds_MonotoneProgramsSettleUntilConverged(t *testing.T) {
	for name, policy := range map[string]Policy{"subway": Subway{Threshold: 0.8}.Plan, "whole": Whole, "auto": Auto} {
		for _, demand := range [][4]uint64{{10, 0, 3, 70}, {100, 90, 100, 100}} {
			s := four(demand, demand)
			s.Monotone, s.Lists = true, []uint64{1, 1, 1, 1}
			loads := policy(s)
			if len(loads) < 3 {
				t.Fatalf("%s: %+v", name, loads)
			}
			for _, l := range loads {
				if l.Rounds != UntilConverged {
					t.Errorf("%s stops %+v short of local convergence", name, l)
				}
			}
		}
	}
}

// The lists of costlyState are 264 bytes of 25 edges: a round takes 25·13 = 325 s beside 264·7 = 1848 s on
// the link, 264·5/4 = 330 s of cutting, and 264·11 = 2904 s that the device takes to make them resident.
func TestRounds_OfSumsCostNoTime(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(*State)
		want   int
	}{
		{"the device is the bottleneck", func(*State) {}, 1},
		{"nothing is measured", func(s *State) { s.Costs.Measured, s.Costs.Check = false, 0 }, 1},
		{"the link is", func(s *State) { s.Costs.Check = 0 }, 1848 / 325},
		{"cutting is", func(s *State) { s.Costs.Check, s.Costs.Link, s.Costs.Cut = 0, 0, 50 }, 264 * 50 / 4 / 325},
		{"resident for a part of the time", func(s *State) { s.Costs.Check = 3 }, (1848 - 264*3) / 325},
		{"a round is nothing", func(s *State) { s.Costs.Check, s.Costs.Step = 0, 1e-300 }, mostRounds},
	} {
		s := costlyState()
		s.Chunks[0].Seen = true
		c.change(&s)
		if loads := s.settle([]Load{{Part: true}}); loads[0].Rounds != c.want {
			t.Errorf("%s: %d rounds, want %d", c.what, loads[0].Rounds, c.want)
		}
	}
}
