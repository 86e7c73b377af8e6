package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// told is how Subway and Gunrock tell the time that computing took, the graph being read: Subway's in
// seconds but for one program, and with its transfers; Gunrock's of the last of its runs.
var told = regexp.MustCompile(`(?m)^(?:Processing finished in|GPU Elapsed Time :) ([0-9.e+-]+) \((m?s)\)`)

// seconds are what the output of a run tells of its time.
func seconds(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	time, err := readSeconds(string(text))
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Sprintf("%.6g", time), nil
}

func readSeconds(text string) (float64, error) {
	if strings.HasPrefix(text, "{") {
		return ourSeconds(text)
	}
	match := told.FindStringSubmatch(text)
	if match == nil {
		return 0, fmt.Errorf("no time is told")
	}
	seconds, err := strconv.ParseFloat(match[1], 64)
	if match[2] == "ms" {
		seconds /= 1000
	}
	return seconds, err
}

// ourSeconds are those of computing where the device keeps the whole graph, else of all iterations, with what
// is sent in them; the device's start is left out.
func ourSeconds(text string) (seconds float64, err error) {
	var run struct {
		Schedule   string
		Seconds    struct{ Compute float64 }
		Iterations []struct {
			Seconds struct{ Total float64 }
		} `json:"per_iteration"`
	}
	if err := json.Unmarshal([]byte(text), &run); err != nil {
		return 0, err
	}
	if run.Schedule == "resident" {
		return run.Seconds.Compute, nil
	}
	if run.Iterations == nil {
		return 0, fmt.Errorf("there are no iterations")
	}
	for _, i := range run.Iterations {
		seconds += i.Seconds.Total
	}
	return seconds, nil
}
