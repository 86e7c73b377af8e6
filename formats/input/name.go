package input

import (
	"path/filepath"
	"strings"
)

// ArchiveEndings are the endings that compressed files have by custom. They only help
// to find the ending before them; compression itself is told from the content.
var ArchiveEndings = []string{".gz", ".zst", ".zstd"}

// SplitName parts a path before its ending, which is in small letters and not that of
// an archive: "x/G.mtx.gz" is "x/G" and ".mtx".
func SplitName(path string) (stem, ending string) {
	for _, archive := range ArchiveEndings {
		if strings.HasSuffix(strings.ToLower(path), archive) {
			path = path[:len(path)-len(archive)]
			break
		}
	}
	ending = filepath.Ext(path)
	return strings.TrimSuffix(path, ending), strings.ToLower(ending)
}
