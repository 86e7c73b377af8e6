package host

import (
	"context"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// Between the least budget and that for all chunks, the more there is the less is read
// again, and the result is the same bit by bit.
func TestRun_StreamedKeepsWhatFits(t *testing.T) {
	t.Parallel()
	snap := random(testseed.Rand(t), 400, 6000, true, false, false).stored(t, 2048)
	req := Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "5"}}
	needs, err := leastResident(snap, req)
	if err != nil {
		t.Fatal(err)
	}
	want := mustRun(t, snap, req).Columns
	for part := range uint64(4) {
		req.DeviceMemory = needs.Minimum + part*(needs.Resident-1-needs.Minimum)/3
		got := mustRun(t, snap, req)
		if got.Report.Schedule != "auto" || got.Report.PeakDeviceBytes > req.DeviceMemory {
			t.Errorf("%d of %d bytes: %+v", req.DeviceMemory, needs.Resident, got.Report)
		}
		if !same(got.Columns, want) {
			t.Errorf("%d of %d bytes: another result", req.DeviceMemory, needs.Resident)
		}
		all, kept := streamedBytes(t, snap, got.Report.PerIteration)
		if part == 0 && kept > 0 || part == 3 && kept == 0 || kept > all {
			t.Errorf("%d of %d bytes: %d of %d are kept", req.DeviceMemory, needs.Resident, kept, all)
		}
	}
}

// streamedBytes is what the first iteration reads and the second need not; all later ones
// read what the second does.
func streamedBytes(t *testing.T, snap *store.Snapshot, iterations []IterationReport) (all, kept uint64) {
	t.Helper()
	all = iterations[0].Bytes.Storage
	kept = all - iterations[1].Bytes.Storage
	for _, it := range iterations[1:] {
		if it.Bytes.Storage != all-kept || it.Chunks != len(snap.Chunks(chunk.In)) {
			t.Errorf("iteration %d reads %d of %d bytes, %d chunks", it.Number, it.Bytes.Storage, all-kept, it.Chunks)
		}
	}
	return all, kept
}

// A chunk that lists are cut out of again and again is read once. What was cut is told apart, and so is what came from
// the disk.
func TestRun_TellsCutFromRead(t *testing.T) {
	snap := random(testseed.Rand(t), 20_000, 200_000, true, false, false).stored(t, 256<<10)
	req := Request{Algorithm: "sssp", Params: map[string]string{"source": vertexOf(t, snap)},
		Schedule: "subway:threshold=1"}
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = needs.Minimum
	r := mustRun(t, snap, req).Report
	again := func(it IterationReport) bool { return it.Bytes.Cut > 0 && it.Bytes.Storage == 0 }
	if !slices.ContainsFunc(r.PerIteration, again) {
		t.Errorf("no iteration of %d only cuts: %d bytes read, %d cut", r.Iterations, r.Bytes.Storage, r.Bytes.Cut)
	}
	if onLinux := runtime.GOOS == "linux"; onLinux != (r.DiskBytes != nil) {
		t.Errorf("from the disk: %v", r.DiskBytes)
	}
}

// path is so many vertices, one after the other.
func path(vertices int) *sample {
	path := &sample{}
	for v := range vertices {
		path.users = append(path.users, strconv.Itoa(v))
		if v > 0 {
			path.edges = append(path.edges, algorithms.Edge{Src: uint32(v - 1), Dst: uint32(v), Weights: map[string]float64{}})
		}
	}
	return path
}

// Of a path, a level has one vertex, and one chunk has its list.
func TestRun_StreamedReadsChunksThatAreActive(t *testing.T) {
	snap := path(1000).stored(t, 2048)
	result := mustRun(t, snap, Request{Algorithm: "bfs", Params: map[string]string{"source": vertexOf(t, snap)},
		Schedule: "whole"})
	all := len(snap.Chunks(chunk.Out))
	if all < 4 {
		t.Fatalf("%d chunks", all)
	}
	for _, it := range result.Report.PerIteration {
		if it.Chunks > 1 {
			t.Errorf("iteration %d takes %d of %d chunks for %d vertices", it.Number, it.Chunks, all, it.Active)
		}
	}
}

// A chunk of a path that is on the device is gone through until the path leaves it.
func TestRun_ChunksSettleUntilTheyConverge(t *testing.T) {
	snap := path(3000).stored(t, 2048)
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": vertexOf(t, snap)},
		Schedule: "subway:threshold=0"}
	needs, err := leastResident(snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = needs.Resident - 1
	result := mustRun(t, snap, req)
	if all := len(snap.Chunks(chunk.Out)); all < 4 || result.Report.Iterations > all {
		t.Errorf("%d iterations over %d chunks", result.Report.Iterations, all)
	}
}

// Where parts settle, chunks that have room stay on the device as well: they are sent once.
func TestRun_SettlingKeepsWhatFits(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	snap := random(testseed.Rand(t), 4000, 120_000, true, false, true).stored(t, 16<<10)
	for _, req := range []Request{
		{Algorithm: "pagerank-delta", Params: map[string]string{"tolerance": "0.01"}},
		{Algorithm: "sssp", Params: map[string]string{"source": vertexOf(t, snap)}},
	} {
		want := mustRun(t, snap, req)
		needs, err := leastResident(snap, req)
		if err != nil {
			t.Fatal(err)
		}
		req.DeviceMemory = needs.State + (needs.Resident-needs.State)*3/4
		got := mustRun(t, snap, req)
		if got.Report.PeakDeviceBytes > req.DeviceMemory {
			t.Errorf("%s: the device held %d of %d bytes", req.Algorithm, got.Report.PeakDeviceBytes, req.DeviceMemory)
		}
		if req.Algorithm == "sssp" && !same(got.Columns, want.Columns) {
			t.Error("sssp: another result")
		}
		kept := 0
		for _, it := range got.Report.PerIteration {
			kept = max(kept, it.Chunks-it.Whole-it.Parts)
		}
		if all := len(snap.Chunks(chunk.Out)); req.Algorithm == "pagerank-delta" && kept < all/3 {
			t.Errorf("%s: at most %d of %d chunks stay", req.Algorithm, kept, all)
		}
	}
}

// Where better values settle nothing stays on the device: lists come instead, of what is active. Where sums settle,
// chunks stay as far as there is room.
func TestRun_WhatSettlesStays(t *testing.T) {
	long.Unraced(t)
	snap := random(testseed.Rand(t), 2000, 40_000, true, false, false).stored(t, 16<<10)
	for name, stays := range map[string]bool{"sssp": false, "pagerank-delta": true} {
		req := Request{Algorithm: name}
		if name == "sssp" {
			req.Params = map[string]string{"source": vertexOf(t, snap)}
		}
		needs, err := leastResident(snap, req)
		if err != nil {
			t.Fatal(err)
		}
		req.DeviceMemory = needs.State + (needs.Resident-needs.State)/2
		if needs, err = Estimate(t.Context(), snap, req); err != nil {
			t.Fatal(err)
		}
		room := req.DeviceMemory - needs.State
		if (needs.Stays > 0) != stays || stays && (needs.Stays < room/2 || needs.Stays > room*7/8) {
			t.Errorf("%s: %d bytes stay, of %d (%s)", name, needs.Stays, room, needs.Why)
		}
	}
}

// Where far vertices wait, fewer edges are sent twice.
func TestRun_FarVerticesWait(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	rng, bytes := testseed.Rand(t), map[string]uint64{}
	for range 6 { // some 0.85 of the bytes, 0.76 to 0.91 on one graph
		snap := random(rng, 4000, 120_000, true, false, true).stored(t, 128<<10)
		req := Request{Algorithm: "sssp", Params: map[string]string{"source": vertexOf(t, snap)}}
		needs, err := leastResident(snap, req)
		if err != nil {
			t.Fatal(err)
		}
		want := mustRun(t, snap, req)
		req.DeviceMemory = needs.State + (needs.Resident-needs.State)/2
		for _, name := range []string{"subway", "subway:priority=0.1"} {
			req.Schedule = name
			got := mustRun(t, snap, req)
			if !same(got.Columns, want.Columns) {
				t.Errorf("%s: another result", name)
			}
			waits := false
			for _, it := range got.Report.PerIteration {
				bytes[name] += it.Bytes.Transfer
				waits = waits || strings.Contains(it.Rule, "edges wait")
			}
			if waits != (name != "subway") {
				t.Errorf("%s: some wait: %t", name, waits)
			}
		}
	}
	if bytes["subway:priority=0.1"] > bytes["subway"]*9/10 {
		t.Errorf("bytes sent: %v", bytes)
	}
}
