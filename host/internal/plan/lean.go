package plan

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/plugins"
)

// attempt has the devices compile a task, and fits the chunks into the budget. What a device computes with only where
// all chunks are there is no use to a run that streams: such a run does without, if that takes less.
func (t Terms) attempt(c Computation) (*Plan, error) {
	p, err := t.within(c)
	var over *BudgetError
	if err == nil && p.Fit.Resident || err != nil && !errors.As(err, &over) || !t.mayBeLean(c) {
		return p, err
	}
	lean := c
	lean.Task.Restorable = true
	q, leanErr := t.within(lean)
	switch {
	case !leaner(q, leanErr, p, err):
		return t.within(c) // the devices have compiled the task of the plan last
	case leanErr == nil && err == nil:
		q.Spared = p.Kernel.Fixed - q.Kernel.Fixed
	case leanErr == nil:
		q.Spared = over.Need - q.Fit.Minimum
	}
	return q, leanErr
}

// mayBeLean tells whether a device may take less for a run by Step and Apply alone, which Task.Restorable stands for.
// It is no use where parts settle. A device behind a link would copy its state back after each command.
func (t Terms) mayBeLean(c Computation) bool {
	return c.Task.Program != nil && !c.Task.Settle && !c.Task.Restorable && len(c.Task.Lanes) == 0 && t.Devices == 1 &&
		t.Device.LinkBandwidth == 0 && !extension.Lacks(t.Device, plugins.ExtensionRestore)
}

// leaner tells whether an attempt takes less than another that does not keep all chunks, or would.
func leaner(lean *Plan, leanErr error, p *Plan, err error) bool {
	var less, more *BudgetError
	switch {
	case leanErr != nil:
		return errors.As(leanErr, &less) && errors.As(err, &more) && less.Need < more.Need
	case err != nil:
		return true
	}
	return lean.Kernel.Fixed < p.Kernel.Fixed
}

// without says what a run does without.
func without(spared uint64) string {
	if spared == 0 {
		return ""
	}
	return fmt.Sprintf("; without %s bytes of scratch for engines that are of use only where it fits beside all chunks",
		humanize.Comma(int64(spared)))
}
