package drivertest

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestShell_Connect runs a script by a server, with rows of all that drivers get.
func TestShell_Connect(t *testing.T) {
	p := serve(t, t.TempDir(), "--create", "--graph", "g", "--user", "ann:sesame")
	defer p.stop(syscall.SIGTERM, 130)
	shell := exec.CommandContext(t.Context(), p.command.Path, "shell", "--connect", "bolt://"+p.address, "--user", "ann")
	shell.Env = append(shell.Environ(), "PENSTOCK_PASSWORD=sesame")
	shell.Stdin = strings.NewReader(`
CREATE p = (:A {x: 1})-[:T]->(:B) RETURN p;
:param list => [1, 2.5, 'c', null]
RETURN $list AS list, date('2026-01-02') AS day;
UNWIND range(1, 5000) AS i WITH i WHERE i % 1000 = 0 RETURN i;
:begin
CREATE (:C);
:rollback
MATCH (n) RETURN count(n) AS nodes;
`)
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"<(:A {x: 1})-[:T]->(:B)>", "[1, 2.5, 'c', null]", "2026-01-02", "\n 5000\n",
		"\n nodes\n 2\n", "2 nodes created"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	shell = exec.CommandContext(t.Context(), p.command.Path, "shell", "--connect", "bolt://"+p.address)
	if out, err := shell.CombinedOutput(); err == nil || !strings.Contains(string(out), "name and a password") {
		t.Errorf("%v\n%s", err, out)
	}
}
