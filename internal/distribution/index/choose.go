package index

import (
	"fmt"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/penstock-db/penstock/internal/distribution/manifest"
)

// Want is a plugin that is looked for.
type Want struct {
	Name     string
	Versions string // a range of semantic versions, such as ^1.2; empty: the newest release
}

// ParseWant reads NAME or NAME@RANGE.
func ParseWant(text string) (Want, error) {
	name, versions, _ := strings.Cut(text, "@")
	if err := manifest.CheckName(name); err != nil {
		return Want{}, err
	}
	if _, err := semver.NewConstraint(orAny(versions)); err != nil {
		return Want{}, fmt.Errorf("%q is no range of versions, such as ^1.2: %w", versions, err)
	}
	return Want{name, versions}, nil
}

func orAny(versions string) string {
	if versions == "" {
		return "*"
	}
	return versions
}

func (w Want) String() string {
	if w.Versions == "" {
		return w.Name
	}
	return w.Name + "@" + w.Versions
}

// Chosen is a version of a plugin for a platform.
type Chosen struct {
	Name, Version string
	Package       Package
}

// NoneError is that an index has nothing that fits.
type NoneError struct {
	Want    Want
	Refused []string // versions, each with why; none: the plugin is unknown
}

func (e *NoneError) Error() string {
	if len(e.Refused) == 0 {
		return fmt.Sprintf("the index has no plugin %q", e.Want.Name)
	}
	return fmt.Sprintf("the index has no version of %s that fits: %s", e.Want, strings.Join(e.Refused, "; "))
}

// Choose is the highest version that is wanted, is there for a platform, and that nothing speaks against: why tells
// what does, or nothing.
//
// Errors: *NoneError.
func (ix *Index) Choose(w Want, platform string, why func(version string, v Version) error) (Chosen, error) {
	wanted, err := semver.NewConstraint(orAny(w.Versions))
	if err != nil {
		return Chosen{}, err
	}
	none := &NoneError{Want: w}
	for _, version := range ix.Plugins[w.Name].Ordered() {
		name := version.Original()
		v := ix.Plugins[w.Name].Versions[name]
		found, here := v.Platforms[platform]
		switch {
		case !wanted.Check(version):
			none.Refused = append(none.Refused, name+" is not wanted")
		case !here:
			none.Refused = append(none.Refused, name+" is not for "+platform)
		default:
			err := why(name, v)
			if err == nil {
				return Chosen{w.Name, name, found}, nil
			}
			none.Refused = append(none.Refused, err.Error())
		}
	}
	return Chosen{}, none
}
