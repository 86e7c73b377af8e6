package drivertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestJavaScript runs flows.mjs, with the driver that javascript/package.json names.
func TestJavaScript(t *testing.T) {
	dir := install(t)
	flows := exec.CommandContext(t.Context(), "node", "flows.mjs", server(t))
	flows.Dir = dir
	out, err := flows.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}

// install brings the driver in. Where npm cannot, for it is not there or reaches no registry, the
// test is skipped, and says so.
func install(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("javascript")); err != nil {
		t.Fatal(err)
	}
	npm := exec.CommandContext(t.Context(), "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	npm.Dir = dir
	out, err := npm.CombinedOutput()
	if err == nil {
		_, err = os.Stat(filepath.Join(dir, "node_modules", "neo4j-driver"))
	}
	if err != nil {
		t.Skipf("NOTICE: the JavaScript driver was not tested, for npm could not install it: %v\n%s", err, out)
	}
	return dir
}
