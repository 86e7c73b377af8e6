package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// What a type and a package may have. CONTRIBUTING.md says why.
const (
	maxMethods = 30
	maxFields  = 20
	maxFiles   = 25
)

// breaches are the types and packages above a limit that exceptions do not name, and the exceptions that are not
// needed.
func (m Measure) breaches(exceptions map[string]string) []string {
	var all []string
	excused := map[string]bool{}
	report := func(name, format string, args ...any) {
		if exceptions[name] != "" {
			excused[name] = true
			return
		}
		all = append(all, name+": "+fmt.Sprintf(format, args...))
	}
	for _, t := range m.Types {
		if t.Methods > maxMethods {
			report(t.name(), "%d methods, at most %d", t.Methods, maxMethods)
		}
		if t.Fields > maxFields {
			report(t.name(), "%d fields, at most %d", t.Fields, maxFields)
		}
	}
	for _, p := range m.Packages {
		if p.Files > maxFiles {
			report(p.Name, "%d files, at most %d", p.Files, maxFiles)
		}
	}
	for name := range exceptions {
		if !excused[name] {
			all = append(all, name+": an exception that is not needed")
		}
	}
	slices.Sort(all)
	return all
}

// readExceptions reads lines of a name (a package, or a package and a type: store.Tx) and the reason for its exception.
// Empty lines and those that begin with # are comments.
func readExceptions(r io.Reader) (map[string]string, error) {
	exceptions := map[string]string{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, _ := strings.Cut(line, " ")
		if reason = strings.TrimSpace(reason); reason == "" {
			return nil, fmt.Errorf("line %d: %s has no reason", n, name)
		}
		exceptions[name] = reason
	}
	return exceptions, lines.Err()
}
