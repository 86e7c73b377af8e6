package plan

import (
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/host/internal/asked"
	"github.com/penstock-db/penstock/plugins"
)

// LeastBudget is the least budget with which Agree agrees on a run, in whatever way; 0: there is none. The devices have
// compiled any task last.
func LeastBudget(t Terms) (uint64, error) {
	t.Budget, t.Deep, t.Most = 1, nil, nil
	_, err := t.offer()
	if err == nil {
		return t.Budget, nil
	}
	l, err := t.least(err)
	return l.budget, err
}

// Once is t, by which devices are asked each question once. What they have compiled last may be anything.
func Once(t Terms) Terms {
	compile := t.Compile
	once := asked.Once(func(task plugins.Task, at []plugins.Layout, _, budget uint64) (plugins.Plan, error) {
		return compile(task, at, budget)
	})
	t.Compile = func(task plugins.Task, at []plugins.Layout, budget uint64) (plugins.Plan, error) {
		return once(task, at, 0, budget)
	}
	if t.CompileCell != nil {
		t.CompileCell = asked.Once(t.CompileCell)
	}
	t.programs = map[cellKey]CellProgram{} // what is made anew is another question
	return t
}

// leastOf is the least budget for a run, and what is said to any less.
type leastOf struct {
	budget  uint64 // 0: there is none
	refusal error
}

// least goes from a refusal to the next, with the budget that each names, until there is a plan. What a refusal names
// is a lower bound in any case: with as much, something else may be in the way, such as a list that is too long.
func (t Terms) least(refusal error) (leastOf, error) {
	t.Deep = nil // lists are not looked at: nearest first takes more than to settle in any order
	for {
		need, exact := needed(refusal)
		if need <= t.Budget || t.Device.Memory > 0 && need > t.Device.Memory {
			return leastOf{refusal: refusal}, nil
		}
		refused := t.Budget
		t.Budget = need
		if !exact {
			return t.between(refused, refusal)
		}
		_, err := t.offer()
		if err == nil {
			return leastOf{need, refusal}, nil
		}
		if !refuses(err) {
			return leastOf{}, err
		}
		refusal = err
	}
}

// sum is what is said to a budget that was refused: the first refusal, with what the last one names.
func (t Terms) sum(first error, l leastOf) error {
	var over, last *BudgetError
	var schedule *ScheduleError
	switch {
	case errors.As(l.refusal, &last):
		last.Have = t.Budget
	case errors.As(first, &over) && errors.As(l.refusal, &schedule) && l.budget > 0:
		return &BudgetError{What: over.What, Need: l.budget, Have: t.Budget, together: over.together,
			Advice: fmt.Sprintf("give --device-memory %dB; with less, schedule %s is not for it: %s", l.budget,
				schedule.Schedule, schedule.Reason) + t.uncut(t.Computation)}
	}
	return l.refusal
}

// between looks for the least budget where devices cannot say which will do: twice as much each time, then halfway
// between what is refused and what is not.
func (t Terms) between(refused uint64, refusal error) (leastOf, error) {
	most := t.Device.Memory
	if most == 0 {
		most = 1 << 62
	}
	accepted := uint64(0)
	for try := t.Budget; accepted == 0 || accepted-refused > 1; {
		t.Budget = try
		_, err := t.offer()
		switch {
		case err == nil:
			accepted = try
		case !refuses(err):
			return leastOf{}, err
		case try >= most:
			return leastOf{refusal: refusal}, nil
		default:
			refused, refusal = try, err
		}
		if try = min(most, 2*refused); accepted > 0 {
			try = refused + (accepted-refused)/2
		}
	}
	return leastOf{accepted, refusal}, nil
}

// needed is the budget that a refusal names, and whether less will not do as well as it says; 0: it names none.
func needed(refusal error) (need uint64, exact bool) {
	var over *BudgetError
	var schedule *ScheduleError
	switch {
	case errors.As(refusal, &over):
		return over.Need, !over.AtLeast
	case errors.As(refusal, &schedule):
		return schedule.Need, true
	}
	return 0, true
}

// refuses tells whether an error says that there is no such run with such a budget.
func refuses(err error) bool {
	var over *BudgetError
	var schedule *ScheduleError
	return errors.As(err, &over) || errors.As(err, &schedule)
}

// orResident is a refusal to stream, or one that names the budget by which all chunks stay on the device, if that is
// less.
func orResident(p *Plan, refusal error) error {
	need, _ := needed(refusal)
	var schedule *ScheduleError
	switch together := p.Fit.Together; {
	case !refuses(refusal) || need > 0 && need <= together:
		return refusal
	case need == 0 && errors.As(refusal, &schedule):
		schedule.Need = together
		return refusal
	default:
		return &BudgetError{What: "the whole graph beside its state", Need: together, Have: p.Budget,
			Advice: fmt.Sprintf("give --device-memory %dB", together)}
	}
}

// lesser is of two failures the refusal that names the lesser budget, or the one that is no refusal.
func lesser(a, b error) error {
	least, _ := needed(a)
	other, _ := needed(b)
	switch {
	case !refuses(a) || refuses(b) && (other == 0 || 0 < least && least <= other):
		return a
	default:
		return b
	}
}
