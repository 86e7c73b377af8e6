package instance

import "runtime/debug"

// Version is this module's version, as the Go toolchain stamped it: a release, or
// "devel" followed by the commit when it was built from a checkout.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return "devel " + setting.Value[:min(12, len(setting.Value))]
		}
	}
	return "devel"
}
