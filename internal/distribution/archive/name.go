package archive

import (
	"fmt"
	"path"
	"strings"
)

// What a name may have, at most.
const (
	maxName  = 240 // bytes
	maxParts = 20  // folders, with the file
)

// CheckName fails with an *EntryError unless name is that of a file below a folder, on every system: parts of letters,
// digits and "._+@-" between slashes, none of which leads up or is hidden by being empty.
func CheckName(name string) error {
	wrong := func(format string, args ...any) error {
		return &EntryError{Name: name, Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case name == "":
		return wrong("it has no name")
	case len(name) > maxName:
		return wrong("its name has %d bytes, more than %d", len(name), maxName)
	case path.IsAbs(name):
		return wrong("its name is an absolute path")
	case strings.Count(name, "/") >= maxParts:
		return wrong("it lies more than %d folders deep", maxParts-1)
	}
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "" || part == "." || part == "..":
			return wrong("its name is not a plain path: it has the part %q", part)
		case strings.HasSuffix(part, "."):
			return wrong("the part %q of its name ends in a dot, which some systems leave away", part)
		}
		if at := strings.IndexFunc(part, isNotOfNames); at >= 0 {
			return wrong("its name has %q: letters of ASCII, digits and \"._+@-\" may be there", part[at:])
		}
	}
	return nil
}

func isNotOfNames(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._+@-", r)
}

// names are those of an archive so far.
type names map[string]use

// use is what a name stands for, in lower case, since some systems do not tell cases apart.
type use uint8

const (
	file use = iota + 1
	folder
)

// add fails with an *EntryError where the name cannot be put beside those there are.
func (n names) add(name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	lower := strings.ToLower(name)
	switch n[lower] {
	case file:
		return &EntryError{Name: name, Reason: "there are two of that name, but for upper and lower case"}
	case folder:
		return &EntryError{Name: name, Reason: "others lie below it: it cannot be a file"}
	}
	n[lower] = file
	for above := path.Dir(lower); above != "." && n[above] != folder; above = path.Dir(above) {
		if n[above] == file {
			return &EntryError{Name: name, Reason: fmt.Sprintf("%s is a file, and cannot have others below it", above)}
		}
		n[above] = folder
	}
	return nil
}
