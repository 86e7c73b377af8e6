package host

import (
	"errors"
	"testing"
	"time"
)

// TestLearners_Settings: each setting of each learner has a name of its own in any spelling, says what it is for, and
// is set by that name and by no value of another type.
func TestLearners_Settings(t *testing.T) {
	for _, name := range Learners() {
		l, _ := NewLearning(name)
		seen := map[string]bool{}
		for _, s := range l.Settings() {
			if seen[Key(s.Name)] || s.Usage == "" {
				t.Errorf("%s: setting %s is there twice, or says nothing", name, s.Name)
			}
			seen[Key(s.Name)] = true
			right, wrong := any(int64(3)), []any{"x", 2.5, nil}
			var read func() any
			switch value := s.Value.(type) {
			case *int:
				read = func() any { return int64(*value) }
			case *uint64:
				read, wrong = func() any { return int64(*value) }, append(wrong, int64(-1))
			case *float64:
				read, right, wrong = func() any { return *value }, 2.5, []any{"x", nil}
			case *string:
				read, right, wrong = func() any { return *value }, "text", []any{int64(1), 2.5, nil}
			case Workers:
				read, right = func() any { return value.String() }, "4x2"
				wrong = append(wrong, "2x", "0x2", "2x0", "9x9x9", "300x4")
			case Slack:
				read, right, wrong = func() any { return value.String() }, "inf", append(wrong, int64(-1), "-1")
			case Penalty:
				read, right, wrong = func() any { return value.String() }, "0.5", []any{"x", nil, int64(-1), "-1", "NaN"}
				if err := s.Assign("auto"); err != nil || read() != "auto" {
					t.Errorf("%s: %s is %v: %v", name, s.Name, read(), err)
				}
			case Bandwidth:
				read, right, wrong = func() any { return value.String() }, "3.0 MB/s", []any{"x", nil, "0MB/s", int64(-1)}
			case *bool:
				read, right, wrong = func() any { return *value }, true, []any{"x", int64(1), nil}
			case *time.Duration:
				read, right, wrong = func() any { return value.String() }, "5ms", append(wrong, int64(3))
			default:
				t.Fatalf("%s: setting %s is a %T, which no flag sets", name, s.Name, s.Value)
			}
			if err := Configure(l, map[string]any{s.Name: right}); err != nil || read() != right {
				t.Errorf("%s: %s is %v after %v was set: %v", name, s.Name, read(), right, err)
			}
			for _, to := range wrong {
				var refused *RequestError
				if err := Configure(l, map[string]any{s.Name: to}); !errors.As(err, &refused) {
					t.Errorf("%s: %s took %v", name, s.Name, to)
				}
			}
		}
	}
}

func TestConfigure_Spellings(t *testing.T) {
	for _, name := range []string{"learning-rate", "learning_rate", "learningRate", "LEARNING_RATE"} {
		r := DefaultFactorization("mf")
		if err := Configure(r, map[string]any{name: 7}); err != nil || r.Rate != 7 {
			t.Errorf("%s: the rate is %v: %v", name, r.Rate, err)
		}
	}
	if err := Configure(DefaultFactorization("mf"), map[string]any{"rate": 7}); err == nil {
		t.Error("mf took a setting that it does not have")
	}
}
