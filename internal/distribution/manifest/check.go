package manifest

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/distribution/archive"
	"github.com/penstock-db/penstock/internal/plaintext"
)

// Check fails with an *Error naming the field. file is for messages.
func (m *Manifest) Check(file string) error {
	wrong := func(field string, err error) error { return &Error{File: file, Field: field, Err: err} }
	if err := CheckName(m.Name); err != nil {
		return wrong("name", err)
	}
	for field, text := range map[string]string{"version": m.Version, "summary": m.Summary, "homepage": m.Homepage,
		"license": m.License} {
		if err := plaintext.CheckLine(text); err != nil {
			return wrong(field, err)
		}
	}
	switch {
	case m.Format > Format || m.Format < 0:
		return wrong("manifest", fmt.Errorf("%d is not known; this program reads format %d", m.Format, Format))
	case m.Version == "":
		return wrong("version", errors.New("is missing"))
	case m.Kind != KindDevice:
		return wrong("kind", fmt.Errorf("%q is not known; expected %q", m.Kind, KindDevice))
	case m.Protocol.Min < 0 || m.Protocol.Min > m.Protocol.Max:
		return wrong("protocol", fmt.Errorf("%d to %d is no range", m.Protocol.Min, m.Protocol.Max))
	case len(m.Platforms) == 0:
		return wrong("platforms", errors.New("is missing"))
	}
	for _, platform := range slices.Sorted(maps.Keys(m.Platforms)) {
		if err := m.Platforms[platform].check(platform); err != nil {
			return wrong("platforms/"+platform, err)
		}
	}
	for _, pattern := range m.Include {
		if err := checkPattern(pattern); err != nil {
			return wrong("include", err)
		}
	}
	if err := checkPermissions(m.Permissions); err != nil {
		return wrong("permissions", err)
	}
	if _, err := algorithms.DefineAll(m.Algorithms); err != nil {
		return wrong("algorithms", err)
	}
	if field, err := m.checkPackage(); err != nil {
		return wrong(field, err)
	}
	return nil
}

func (p Program) check(platform string) error {
	if !validPlatform.MatchString(platform) {
		return fmt.Errorf("%q is no platform, such as linux/amd64", platform)
	}
	if err := archive.CheckName(p.File); err != nil {
		return err
	}
	if p.File == File || p.File == JSONFile {
		return fmt.Errorf("%q is the manifest", p.File)
	}
	for _, pattern := range p.Include {
		if err := checkPattern(pattern); err != nil {
			return err
		}
	}
	if p.SHA256 == "" {
		return nil
	}
	return CheckDigest(p.SHA256)
}

// CheckDigest fails unless a text is a SHA-256 in hex.
func CheckDigest(text string) error {
	if digest, err := hex.DecodeString(text); err != nil || len(digest) != 32 {
		return errors.New("sha256 must be 64 hexadecimal digits")
	}
	return nil
}

func checkPattern(pattern string) error {
	if _, err := path.Match(pattern, ""); err != nil || !filepath.IsLocal(pattern) {
		return fmt.Errorf("%q is no pattern of files in the plugin's folder", pattern)
	}
	return nil
}

// checkPermissions refuses what cannot be granted.
func checkPermissions(g confine.Grants) error {
	for _, kind := range g.Hardware {
		if !slices.Contains(confine.Hardware(), kind) {
			return fmt.Errorf("hardware %q is not known: it is one of %v", kind, confine.Hardware())
		}
	}
	for _, file := range slices.Concat(g.Read, g.Write) {
		if !filepath.IsAbs(file) || filepath.Clean(file) != file {
			return fmt.Errorf("%q is no absolute path without detours", file)
		}
	}
	return nil
}

// checkPackage compares what a manifest says of its package with the rest.
func (m *Manifest) checkPackage() (field string, err error) {
	p := m.Package
	if p == nil {
		return "", nil
	}
	if _, err := m.Semantic(); err != nil {
		return "version", err
	}
	program, ok := m.Platforms[p.Platform]
	if !ok {
		return "package/platform", fmt.Errorf("%q is none of its platforms", p.Platform)
	}
	for platform, program := range m.Platforms {
		if program.SHA256 == "" {
			return "platforms/" + platform, errors.New("sha256 is missing")
		}
	}
	for name, content := range p.Contents {
		err := archive.CheckName(name)
		if err == nil {
			err = CheckDigest(content.SHA256)
		}
		if err == nil && (content.Size < 0 || name == File) {
			err = errors.New("is not that of a file beside the manifest")
		}
		if err != nil {
			return "package/contents/" + name, err
		}
	}
	if found := p.Contents[program.File]; found.SHA256 != program.SHA256 || !found.Executable {
		return "package/contents/" + program.File, errors.New("is not the program that platforms names")
	}
	return "", nil
}
