package engine

import "github.com/penstock-db/penstock/plugins"

// Report says where the run stands.
func (p *Program) Report() *plugins.Iteration { return p.Progress.Report() }

// Settling tells whether the task is run by Settle alone.
func (p *Program) Settling() bool { return p.Mode.Settling }
