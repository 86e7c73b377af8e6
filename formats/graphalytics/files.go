package graphalytics

import (
	"fmt"
	"os"
	"slices"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// fileSet names the files of one graph; properties is "" when there are none.
type fileSet struct{ vertices, edges, properties string }

func findFiles(paths []string) (fileSet, error) {
	var set fileSet
	var stem string
	for _, path := range paths {
		var ending string
		stem, ending = input.SplitName(path)
		slot := set.slot(ending)
		if slot == nil || *slot != "" {
			return set, &formats.ParseError{
				Position: formats.Position{File: path}, Found: fmt.Sprintf("a file that ends in %q", ending),
				Expected: "one .v file, one .e file and at most one .properties file",
			}
		}
		*slot = path
	}
	for _, ending := range []string{".v", ".e", ".properties"} {
		if slot := set.slot(ending); *slot == "" {
			*slot = findSibling(stem + ending)
		}
	}
	return set, set.check(paths)
}

func (s *fileSet) slot(ending string) *string {
	switch ending {
	case ".v":
		return &s.vertices
	case ".e":
		return &s.edges
	case ".properties":
		return &s.properties
	}
	return nil
}

func (s *fileSet) check(paths []string) error {
	for _, ending := range []string{".v", ".e"} {
		if *s.slot(ending) == "" {
			return &formats.ParseError{
				Position: formats.Position{File: paths[0]}, Found: "no " + ending + " file beside it",
				Expected: "a .v and an .e file of the same name",
			}
		}
	}
	return nil
}

// findSibling is the path, or the path of the archive, that exists; else "".
func findSibling(path string) string {
	candidates := []string{path}
	for _, archive := range input.ArchiveEndings {
		candidates = append(candidates, path+archive)
	}
	i := slices.IndexFunc(candidates, func(candidate string) bool {
		info, err := os.Stat(candidate)
		return err == nil && !info.IsDir()
	})
	if i < 0 {
		return ""
	}
	return candidates[i]
}
