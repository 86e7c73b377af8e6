package function

import (
	"regexp"
	"regexp/syntax"
	"sync"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// Matches is =~: whether all of a string matches a regular expression (RE2's syntax, which has
// no back references and takes linear time).
func Matches(a, b value.Value) (value.Value, error) {
	if a.Kind() != value.String || b.Kind() != value.String {
		return null()
	}
	pattern, err := compile(b.Str())
	if err != nil {
		return value.Value{}, err
	}
	return value.OfBool(pattern.MatchString(a.Str())), nil
}

// patterns remembers what was compiled; when there are too many it begins anew.
var patterns struct {
	sync.RWMutex
	compiled map[string]*regexp.Regexp
}

func compile(text string) (*regexp.Regexp, error) {
	patterns.RLock()
	pattern, ok := patterns.compiled[text]
	patterns.RUnlock()
	if ok {
		return pattern, nil
	}
	if _, err := syntax.Parse(text, syntax.Perl); err != nil {
		return nil, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "%q is no regular expression: %v", text, err)
	}
	pattern, err := regexp.Compile(`\A(?:` + text + `)\z`)
	if err != nil {
		return nil, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "%q is too long a regular expression: %v", text,
			err)
	}
	remember(text, pattern)
	return pattern, nil
}

func remember(text string, pattern *regexp.Regexp) {
	const most = 1000
	patterns.Lock()
	defer patterns.Unlock()
	if patterns.compiled == nil || len(patterns.compiled) >= most {
		patterns.compiled = map[string]*regexp.Regexp{}
	}
	patterns.compiled[text] = pattern
}
