package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/store"
)

// Learning is a request to have a MEGA program learn: a *FactorizeRequest, a *RegressRequest or a
// *TopicsRequest.
type Learning interface {
	// Learn has a device learn from the graph of snap, which stays open and unchanged.
	//
	// Errors: *RequestError, *BudgetError, *plugins.Error and those of the request's type; when ctx ends, an error that
	// wraps its cause.
	Learn(ctx context.Context, e *Engine, snap *store.Snapshot, events TrainEvents) (*Trained, error)
	// Explain says how Learn would go, which it does not do: the device is started and says what memory it takes.
	//
	// Errors: as of Learn.
	Explain(ctx context.Context, snap *store.Snapshot) (*LearningPlan, error)
	// Settings are what may be set, each with the value that it has.
	Settings() []Setting
	// Options are how the program runs.
	Options() *MegaOptions
}

// learners are the MEGA programs, by the names of the models that they learn.
var learners = []struct {
	name     string
	defaults func() Learning
}{
	{"mf", func() Learning { return DefaultFactorization("mf") }},
	{"als", func() Learning { return DefaultFactorization("als") }},
	{"lr", func() Learning { return DefaultRegression("lr") }},
	{"blockpg", func() Learning { return DefaultRegression("blockpg") }},
	{"lda", func() Learning { return DefaultTopics() }},
}

// Learners are the names of the models that MEGA programs learn.
func Learners() (names []string) {
	for _, l := range learners {
		names = append(names, l.name)
	}
	return names
}

// NewLearning is a request for a model of that name, with its defaults; false: no MEGA program learns it.
func NewLearning(name string) (Learning, bool) {
	for _, l := range learners {
		if l.name == name {
			return l.defaults(), true
		}
	}
	return nil, false
}

// Setting is what a user may set of a request.
type Setting struct {
	Name  string // as the flag of the command
	Usage string
	Value any // *int, *uint64, *float64, *string, *bool, *time.Duration, or what sets itself by a text: Slack
}

// Assign sets it to a whole number, a float64 or a string, as of what it is.
func (s Setting) Assign(to any) error {
	n, whole := to.(int64)
	if small, is := to.(int); is {
		n, whole = int64(small), true
	}
	switch value := s.Value.(type) {
	case *int:
		if !whole {
			return fmt.Errorf("%v is no integer", to)
		}
		*value = int(n)
	case *uint64:
		if !whole || n < 0 {
			return fmt.Errorf("%v is no integer of at least 0", to)
		}
		*value = uint64(n)
	case *float64:
		x, is := to.(float64)
		if *value = x; whole {
			*value, is = float64(n), true
		}
		if !is {
			return fmt.Errorf("%v is no number", to)
		}
	case *string:
		text, is := to.(string)
		if *value = text; !is {
			return fmt.Errorf("%v is no text", to)
		}
	case *bool:
		is, boolean := to.(bool)
		if *value = is; !boolean {
			return fmt.Errorf("%v is neither true nor false", to)
		}
	case *time.Duration:
		text, _ := to.(string)
		d, err := time.ParseDuration(text)
		if *value = d; err != nil {
			return fmt.Errorf("%v is no time, such as 5ms", to)
		}
	case interface{ Set(string) error }:
		return value.Set(fmt.Sprint(to))
	}
	return nil
}

// Configure sets what is named, as the flags of the command or as Key does.
//
// Errors: *RequestError.
func Configure(l Learning, settings map[string]any) error {
	for name, to := range settings {
		known := l.Settings()
		i := slices.IndexFunc(known, func(s Setting) bool { return Key(s.Name) == Key(name) })
		if i < 0 {
			var names []string
			for _, s := range known {
				names = append(names, s.Name)
			}
			return &RequestError{Reason: fmt.Sprintf("there is no setting %s; there are %s", name, strings.Join(names, ", "))}
		}
		if err := known[i].Assign(to); err != nil {
			return &RequestError{Reason: fmt.Sprintf("setting %s: %s", name, err)}
		}
	}
	return nil
}

// Key is a setting's name as it is in any spelling: learning-rate, learning_rate, learningRate.
func Key(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
}

// Slack is how many clocks a worker may be ahead of the slowest, as a text; mega.Asynchronous is inf.
type Slack struct{ Of *int }

func (s Slack) Set(text string) error {
	n, err := strconv.Atoi(text)
	if text == "inf" {
		n, err = mega.Asynchronous, nil
	} else if n < 0 || err != nil {
		return errors.New("give 0 or more clocks, or inf")
	}
	*s.Of = n
	return err
}

func (s Slack) String() string {
	switch {
	case s.Of == nil:
		return ""
	case *s.Of == mega.Asynchronous:
		return "inf"
	}
	return strconv.Itoa(*s.Of)
}

// Type is what it is to a command line.
func (Slack) Type() string { return "clocks" }
