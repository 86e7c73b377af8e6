package cli

import (
	"fmt"
	"strings"
)

// Assignments reads repeated flags of the form name=value.
func Assignments(flag string, texts []string) (map[string]string, error) {
	values := make(map[string]string, len(texts))
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, UsageError{fmt.Errorf("%s %q: write name=value", flag, text)}
		}
		if _, twice := values[name]; twice {
			return nil, UsageError{fmt.Errorf("%s %s is given twice", flag, name)}
		}
		values[name] = value
	}
	return values, nil
}
