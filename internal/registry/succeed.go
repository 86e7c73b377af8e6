package registry

import (
	"fmt"

	"github.com/Masterminds/semver/v3"

	"github.com/penstock-db/penstock/internal/distribution/sign"
)

// succeeds fails unless a package may take the place of what is installed under its name: it must be a newer version of
// what came from a package as well. Replace allows anything but an older version, which Downgrade does.
func succeeds(name string, old, next Locked, opts InstallOptions) error {
	from, unknown := semver.StrictNewVersion(old.Version)
	to, err := semver.StrictNewVersion(next.Version)
	if err != nil {
		return err
	}
	if err := pinned(name, old.Pin, next.Version); err != nil {
		return err
	}
	if old.packaged() && unknown == nil && to.LessThan(from) && !opts.Downgrade {
		return &DowngradeError{Name: name, Installed: old.Version, Version: next.Version}
	}
	switch {
	case opts.Replace:
		return nil
	case old.packaged() && old.Signer != "" && old.Signer != next.Signer:
		return &SignerChangedError{Plugin: name, Was: signerText(old.Signer), Is: signerText(next.Signer)}
	case !old.packaged() || unknown != nil || to.Equal(from):
		return &InstalledError{Name: name, Version: old.Version}
	}
	return nil
}

// DowngradeError is an older version that was to take the place of a newer one, as an attacker would want who knows
// what is wrong with the older one.
type DowngradeError struct {
	Name, Installed, Version string
}

func (e *DowngradeError) Error() string {
	return fmt.Sprintf("plugin %s %s is older than %s, which is installed: if you want it all the same, give --downgrade", e.Name,
		e.Version, e.Installed)
}

// UnsignedError is a package without a signature.
type UnsignedError struct {
	Plugin, Package string
}

func (e *UnsignedError) Error() string {
	return fmt.Sprintf("%s is not signed: nobody says that plugin %s is what its maker published. If you trust the file itself, give --allow-unsigned=%s",
		e.Package, e.Plugin, e.Plugin)
}

// signerText is a key as people tell keys apart.
func signerText(key string) string {
	parsed, err := sign.ParseKey(key)
	if err != nil {
		return "nobody"
	}
	return "key " + parsed.ID()
}
