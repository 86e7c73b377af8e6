// Package report has what a run tells its caller: events while it runs (Events), what it will take before it runs
// (Needs), and what it did and cost once it has ended (Report). It is data; the packages that carry a run out fill it
// in.
package report
