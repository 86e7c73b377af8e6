package drivertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// fails runs a statement to its end, which must fail with that code.
func fails(t *testing.T, s neo4j.SessionWithContext, code, text string) {
	t.Helper()
	_, err := single(t.Context(), s, text, nil)
	var coded *neo4j.Neo4jError
	if !errors.As(err, &coded) || coded.Code != code {
		t.Errorf("%s: %v, not %s", text, err, code)
	}
}

// TestDevices_NoStatementStartsAProgram names a script in every way that once started it.
func TestDevices_NoStatementStartsAProgram(t *testing.T) {
	dir := t.TempDir()
	proof, script := filepath.Join(dir, "proof"), filepath.Join(dir, "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+proof+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := serve(t, dir, "--create", "--graph", "g", "--devices", "cpu")
	defer p.stop(syscall.SIGTERM, 130)
	driver := open(t, "bolt://"+p.address, neo4j.NoAuth())
	s := session(t, driver)
	if _, err := single(t.Context(), s, "CREATE (a)-[:T]->(b) RETURN 1 AS x", nil); err != nil {
		t.Fatal(err)
	}
	const failed = "Neo.ClientError.Procedure.ProcedureCallFailed"
	for _, device := range []string{script, "cpu," + script, "cpu+" + script, script + ",cpu", "../" + filepath.Base(dir) +
		"/script", "./script", "npu"} {
		for _, mode := range []string{"", ".stream", ".stats", ".estimate"} {
			fails(t, s, failed, fmt.Sprintf("CALL algo.pagerank%s({device: '%s'})", mode, device))
			reading := driver.NewSession(t.Context(), neo4j.SessionConfig{AccessMode: neo4j.AccessModeRead})
			fails(t, reading, failed, fmt.Sprintf("CALL algo.pagerank%s({device: '%s'})", mode, device))
			reading.Close(t.Context())
		}
		fails(t, s, failed, fmt.Sprintf("CALL algo.pagerank.write({device: '%s', writeProperty: 'p'})", device))
	}
	for _, device := range []string{"cpu", "auto"} {
		if _, err := single(t.Context(), s, "CALL algo.pagerank.stats({device: '"+device+
			"'}) YIELD iterations RETURN iterations", nil); err != nil {
			t.Errorf("%s: %v", device, err)
		}
	}
	if _, err := os.Stat(proof); !errors.Is(err, os.ErrNotExist) {
		t.Fatal("the script was started: ", err)
	}
}

// TestDevices_EnabledWhileServing enables a plugin, and disables it, while a server has the database open: each
// statement is held to what holds then. The plugin is not the program that was installed, so that it never starts.
func TestDevices_EnabledWhileServing(t *testing.T) {
	dir, plugins := t.TempDir(), t.TempDir()
	lock := fmt.Sprintf(`{"version": 1, "plugins": {"mine": {"version": "1", "platforms": {"%s/%s": {"file": "mine",
		"sha256": "%064d"}}}}}`, runtime.GOOS, runtime.GOARCH, 0)
	if err := os.WriteFile(filepath.Join(plugins, "plugins.lock.json"), []byte(lock), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PENSTOCK_PLUGIN_DIR", plugins)
	p := serve(t, dir, "--create", "--graph", "g")
	defer p.stop(syscall.SIGTERM, 130)
	s := session(t, open(t, "bolt://"+p.address, neo4j.NoAuth()))
	if _, err := single(t.Context(), s, "CREATE (a)-[:T]->(b) RETURN 1 AS x", nil); err != nil {
		t.Fatal(err)
	}
	refused := func(change string, want bool) {
		t.Helper()
		program, err := build()
		if err != nil {
			t.Fatal(err)
		}
		if change != "" {
			out, err := exec.Command(program, "plugin", change, "mine", "--db", filepath.Join(dir, "db")).CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v", out, err)
			}
		}
		_, err = single(t.Context(), s, "CALL algo.pagerank.stats({device: 'mine'})", nil)
		if err == nil || strings.Contains(err.Error(), "plugin mine is not enabled in database") != want {
			t.Errorf("after %q: %v", change, err)
		}
	}
	refused("", false)
	refused("disable", true)
	refused("enable", false)
	refused("disable", true)
}

// TestRead_RefusesEveryWrite tries to write in transactions of access mode READ: statements,
// procedures, indexes, in transactions of their own and in explicit ones.
func TestRead_RefusesEveryWrite(t *testing.T) {
	driver := connect(t, "bolt")
	writer := session(t, driver)
	if _, err := single(t.Context(), writer, "CREATE (a:A)-[:T]->(b) RETURN 1 AS x", nil); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"CREATE (n) RETURN 1", "MATCH (n) SET n.x = 1 RETURN 1", "MATCH (n) DETACH DELETE n", "MERGE (n:B) RETURN 1",
		"MATCH (n:A) CALL { WITH n SET n.x = 1 } RETURN 1", "UNWIND [1] AS x FOREACH (y IN [x] | CREATE ())",
		"PROFILE CREATE (n) RETURN 1",
		"CALL algo.pagerank.write({writeProperty: 'p'})",
		"CALL algo.wcc.write({writeProperty: 'p'}) YIELD iterations RETURN iterations",
		"MATCH (n) WITH count(n) AS c CALL algo.wcc.write({writeProperty: 'p'}) YIELD iterations RETURN iterations",
		"PROFILE CALL algo.wcc.write({writeProperty: 'p'})",
		"CREATE INDEX i FOR (n:A) ON (n.x)", "CREATE CONSTRAINT c FOR (n:A) REQUIRE n.x IS UNIQUE",
	} {
		s := driver.NewSession(t.Context(), neo4j.SessionConfig{AccessMode: neo4j.AccessModeRead})
		fails(t, s, "Neo.ClientError.Statement.AccessMode", text)
		_, err := s.ExecuteRead(t.Context(), func(tx neo4j.ManagedTransaction) (any, error) {
			result, err := tx.Run(t.Context(), text, nil)
			if err != nil {
				return nil, err
			}
			return result.Consume(t.Context())
		})
		if err == nil || !strings.Contains(err.Error(), "AccessMode") {
			t.Errorf("%s in a transaction: %v", text, err)
		}
		s.Close(context.Background())
	}
	for _, text := range []string{"EXPLAIN CREATE (n) RETURN 1", "EXPLAIN CALL algo.wcc.write({writeProperty: 'p'})",
		"CALL algo.wcc.stats() YIELD iterations RETURN iterations"} {
		s := driver.NewSession(t.Context(), neo4j.SessionConfig{AccessMode: neo4j.AccessModeRead})
		result, err := s.Run(t.Context(), text, nil)
		if err == nil {
			_, err = result.Consume(t.Context())
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		s.Close(context.Background())
	}
	// once it was made
	fails(t, writer, "Neo.ClientError.Statement.SyntaxError", "EXPLAIN CREATE INDEX i FOR (n:A) ON (n.x)")
	got, err := single(t.Context(), writer, "MATCH (n) RETURN count(n) + count(n.p) + count(n.x) AS n", nil)
	if err != nil || got != int64(2) {
		t.Error("something was written: ", got, err)
	}
}

// TestProcedures_Modes looks at what dbms.procedures says of those that write: results, or a model.
func TestProcedures_Modes(t *testing.T) {
	s := session(t, connect(t, "bolt"))
	got, err := single(
		t.Context(), s, "CALL dbms.procedures() YIELD name, mode WITH name, mode WHERE (name ENDS WITH '.write' OR name = 'ml.train') <> (mode = 'WRITE') RETURN collect(name) AS names", nil)
	if err != nil || len(got.([]any)) != 0 {
		t.Fatal(got, err)
	}
}

// TestProcedures_Write writes a result by a procedure in a transaction of its own, and in a managed one.
func TestProcedures_Write(t *testing.T) {
	driver := connect(t, "bolt")
	s := session(t, driver)
	if _, err := single(t.Context(), s, "CREATE (a:A)-[:T]->(b) RETURN 1 AS x", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := single(t.Context(), s, "CALL algo.wcc.write({writeProperty: 'own'}) YIELD iterations RETURN iterations",
		nil); err != nil {
		t.Fatal(err)
	}
	if _, err := execute(t, driver, "", "CALL algo.wcc.write({writeProperty: 'managed'})", nil); err != nil {
		t.Fatal(err)
	}
	got, err := single(t.Context(), s, "MATCH (n) RETURN count(n.own) + count(n.managed) AS n", nil)
	if err != nil || got != int64(4) {
		t.Error(got, err)
	}
}

// TestDevices_Unknown: without --devices, too, a client does not learn where plugins are.
func TestDevices_Unknown(t *testing.T) {
	_, err := single(t.Context(), session(t, connect(t, "bolt")), "CALL algo.wcc({device: 'none'})", nil)
	if err == nil || !strings.Contains(err.Error(), "not allowed here") ||
		strings.ContainsRune(err.Error(), filepath.Separator) {
		t.Error(err)
	}
}
