package launch

// selfPath names the file that this process runs, even when another has taken its place
// in the file system since, as after an upgrade.
func selfPath() (string, error) { return "/proc/self/exe", nil }
