package engine

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// Report says where the run stands.
func (p *Program) Report() *plugins.Iteration { return p.Progress.Report() }

// Settling tells whether the task is run by Settle alone.
func (p *Program) Settling() bool { return p.Mode.Settling }

// Partial tells whether other sessions have a part of the edges.
func (p *Program) Partial() bool { return p.Mode.Partial }

// HasState tells whether Init or Restore has run.
func (p *Program) HasState() bool { return p.started }

// Vertices is how many there are.
func (p *Program) Vertices() int { return p.N }

// EdgeColumns are the edge properties that kernels read.
func (p *Program) EdgeColumns() []string { return p.Code.Spec.EdgeColumns }

// AccumulatorType is the type of messages and of what arrives.
func (p *Program) AccumulatorType() algorithms.Type { return p.Code.AccType }
