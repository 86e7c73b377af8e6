package regret

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/schedule"
)

// iteration is a state of two chunks of ten rows, 100 edges and 1000 bytes each, of which so many edges are wanted.
func iteration(first, second uint64) schedule.State {
	s := schedule.State{Active: schedule.Bitmap{1 | 1<<10}, Entry: 4, Room: 1000, Demand: []uint64{first, second},
		Lists: []uint64{1, 1}, Costs: schedule.Costs{Link: 1, Measured: true, Readers: 1}}
	for i := range uint64(2) {
		rows := chunk.Interval{Base: 10 * i, Count: 10}
		s.Chunks = append(s.Chunks, schedule.Chunk{Senders: []chunk.Interval{rows}, Rows: 10, Edges: 100, Bytes: 1000})
	}
	return s
}

// TestSimulation adds up what each schedule sends: by hand.
func TestSimulation(t *testing.T) {
	s, err := New([]string{"whole", "subway", "scaph", "neugraph"})
	if err != nil {
		t.Fatal(err)
	}
	s.Iterate(iteration(10, 90)) // subway: half of all, as lists; scaph: the second chunk has value
	s.Iterate(iteration(20, 80)) // it is there
	want := map[string]uint64{"whole": 4000, "subway": 4*200 + 4*8, "scaph": 4*30 + 2*8 + 1000,
		"neugraph": 4*200 + 4*8}
	for _, c := range s.Costs() {
		if c.Bytes != want[c.Schedule] {
			t.Errorf("%s: %d bytes, want %d", c.Schedule, c.Bytes, want[c.Schedule])
		}
		if c.Seconds <= 0 {
			t.Errorf("%s takes %v s", c.Schedule, c.Seconds)
		}
		delete(want, c.Schedule)
	}
	if len(want) > 0 {
		t.Errorf("nothing of %v", want)
	}
}

// TestSimulation_QueueHasRoomForOne: of two chunks of value the less valuable leaves, and is sent again.
func TestSimulation_QueueHasRoomForOne(t *testing.T) {
	s, err := New([]string{"scaph"})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		s.Iterate(iteration(90, 100))
	}
	if got := s.Costs()[0].Bytes; got < 4000 || got > 6000 {
		t.Errorf("%d bytes of two chunks in three iterations, with room for one", got)
	}
}

// TestSimulation_WhatStays: auto sends a chunk that stays once; another schedule has no use of that.
func TestSimulation_WhatStays(t *testing.T) {
	s, err := New([]string{"auto", "whole"})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		state := iteration(100, 0)
		state.Chunks[0].Stays, state.Chunks[0].Here = true, true
		state.Active = schedule.Bitmap{1}
		s.Iterate(state)
	}
	if auto, whole := s.Costs()[0].Bytes, s.Costs()[1].Bytes; auto >= 2000 || whole != 5000 {
		t.Errorf("%d bytes by auto, %d by whole", auto, whole)
	}
}

func TestOf(t *testing.T) {
	all := []Cost{{"auto", 110, 3}, {"whole", 400, 2}, {"subway", 100, 4}}
	got, err := Of("auto", all)
	if want := (Regret{"subway", 1.1, "whole", 1.5}); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if got, err = Of("subway", all); err != nil || got.Bytes != 1 || got.Fewest != "subway" {
		t.Errorf("the least has a regret: %+v, %v", got, err)
	}
	var unknown *UnknownError
	if _, err := Of("scaph", all); !errors.As(err, &unknown) || unknown.Schedule != "scaph" {
		t.Errorf("regret of what was not simulated: %v", err)
	}
	if got, err := Of("auto", []Cost{{"auto", 0, 0}, {"whole", 0, 0}}); err != nil || got.Bytes != 1 || got.Seconds != 1 {
		t.Errorf("nothing over nothing: %+v, %v", got, err)
	}
}

func TestNew_UnknownSchedule(t *testing.T) {
	var wrong *schedule.ParseError
	if _, err := New([]string{"sideways"}); !errors.As(err, &wrong) {
		t.Error(err)
	}
}
