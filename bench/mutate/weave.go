package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/gosource"
)

// switches is the file that is added to the package: mutant(7) is true when mistake 7 is on. With PENSTOCK_MUTANTS_SEEN
// set to a file, none is on, and the file lists those that were asked for.
const switches = `package %s

import (
	"os"
	"strconv"
	"sync"
)

var (
	mutantOn, _ = strconv.Atoi(os.Getenv("PENSTOCK_MUTANT"))
	mutantsSeen = os.Getenv("PENSTOCK_MUTANTS_SEEN")
	mutantsLock sync.Mutex
	mutantsOnce = map[int]bool{}
)

func mutant(id int) bool {
	if mutantsSeen != "" {
		mutantsLock.Lock()
		defer mutantsLock.Unlock()
		if !mutantsOnce[id] {
			mutantsOnce[id] = true
			if f, err := os.OpenFile(mutantsSeen, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
				f.WriteString(strconv.Itoa(id) + "\n")
				f.Close()
			}
		}
	}
	return id == mutantOn
}
`

// weave is a file's source with mistakes in it, each behind its switch.
func weave(file *gosource.File, mutants []*mutant) (string, error) {
	source, err := os.ReadFile(file.Path)
	if err != nil {
		return "", err
	}
	var sites []*site
	for _, m := range mutants {
		if m.site.file == file && !slices.Contains(sites, m.site) {
			sites = append(sites, m.site)
		}
	}
	// A site comes after those that it lies in.
	slices.SortStableFunc(sites, func(a, b *site) int {
		return cmp.Or(cmp.Compare(a.start, b.start),
			cmp.Compare(b.end, a.end))
	})
	w := &weaver{source: string(source), sites: sites, on: mutants}
	return w.between(0, len(source)), nil
}

type weaver struct {
	source string
	sites  []*site // not yet woven
	on     []*mutant
}

// between is a piece of the source with all sites in it woven.
func (w *weaver) between(start, end int) string {
	var text strings.Builder
	for len(w.sites) > 0 && w.sites[0].end <= end {
		s := w.sites[0]
		w.sites = w.sites[1:]
		text.WriteString(w.source[start:s.start])
		text.WriteString(w.weave(s))
		start = s.end
	}
	text.WriteString(w.source[start:end])
	return text.String()
}

// weave is a site with its mistakes. What stands in a mistake is as it was: only one is made at a time.
func (w *weaver) weave(s *site) string {
	right := w.between(s.start, s.end)
	var text strings.Builder
	for _, m := range s.mutants {
		switch {
		case !slices.Contains(w.on, m):
		case s.typ != "":
			fmt.Fprintf(&text, "if mutant(%d) { return %s }; ", m.id, m.text)
		default:
			fmt.Fprintf(&text, "if mutant(%d) { %s } else ", m.id, m.text)
		}
	}
	if s.typ != "" {
		return fmt.Sprintf("func() %s { %sreturn %s }()", s.typ, text.String(), right)
	}
	return fmt.Sprintf("%s{ %s }", text.String(), right)
}
