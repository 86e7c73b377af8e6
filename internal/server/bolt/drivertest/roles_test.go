package drivertest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// Codes of refusals.
const (
	forbidden    = "Neo.ClientError.Security.Forbidden"
	unauthorized = "Neo.ClientError.Security.Unauthorized"
	noGraph      = "Neo.ClientError.Database.DatabaseNotFound"
	accessMode   = "Neo.ClientError.Statement.AccessMode"
)

// cli runs a command of the program on the database in dir.
func cli(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, append(args, "--db", filepath.Join(dir, "db"))...)
	command.Stdin = strings.NewReader(stdin)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// guarded serves the graphs air and sea, and has an admin, root.
func guarded(t *testing.T, flags ...string) *process {
	t.Helper()
	dir := t.TempDir()
	for _, graph := range []string{"air", "sea"} {
		cli(t, dir, "", "query", "--create", "--graph", graph, "CREATE (:A {x: 1})-[:T]->(:B)")
	}
	cli(t, dir, "root's\n", "user", "add", "root", "--role", "admin")
	p := serve(t, dir, append([]string{"--graph", "air"}, flags...)...)
	t.Cleanup(func() { p.stop(syscall.SIGTERM, 130) })
	return p
}

// as is a driver of a user, whose password is the name with 's behind it.
func (p *process) as(t *testing.T, user string) neo4j.DriverWithContext {
	t.Helper()
	return open(t, "neo4j://"+p.address, neo4j.BasicAuth(user, user+"'s", ""))
}

// does runs statements as most programs do: each in a managed transaction, on a graph; empty: that
// of the server.
func does(t *testing.T, driver neo4j.DriverWithContext, graph string, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := execute(t, driver, graph, s, nil); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func execute(t *testing.T, driver neo4j.DriverWithContext, graph, statement string,
	params map[string]any) (*neo4j.EagerResult, error) {
	t.Helper()
	return neo4j.ExecuteQuery(t.Context(), driver, statement, params, neo4j.EagerResultTransformer,
		neo4j.ExecuteQueryWithDatabase(graph))
}

// auto runs a statement in a transaction of its own.
func auto(t *testing.T, driver neo4j.DriverWithContext, graph string, mode neo4j.AccessMode, statement string) error {
	t.Helper()
	s := driver.NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: graph, AccessMode: mode})
	defer s.Close(context.Background())
	result, err := s.Run(t.Context(), statement, nil)
	if err != nil {
		return err
	}
	_, err = result.Consume(t.Context())
	return err
}

// refused looks at the code of an error.
func refused(t *testing.T, what string, err error, codes ...string) {
	t.Helper()
	var coded *neo4j.Neo4jError
	if errors.As(err, &coded) {
		for _, code := range codes {
			if coded.Code == code {
				return
			}
		}
	}
	t.Errorf("%s: %v, not %v", what, err, codes)
}

// A reader tries to write by every kind of statement and procedure, whatever the access mode.
func TestRoles_ReaderCannotWrite(t *testing.T) {
	p := guarded(t)
	root := p.as(t, "root")
	does(t, root, "", "CREATE USER ann SET PASSWORD \"ann's\" CHANGE NOT REQUIRED", "GRANT ROLE reader TO ann")
	ann := p.as(t, "ann")
	for _, statement := range []string{
		"CREATE (n)", "MATCH (n:A) SET n.x = 2", "MATCH (n:A) REMOVE n.x", "MATCH (n) DETACH DELETE n", "MERGE (n:C)",
		"MATCH (n:A) CALL { WITH n SET n.y = 1 } RETURN 1",
		"UNWIND [1] AS x FOREACH (y IN [x] | CREATE ())", "PROFILE CREATE (n) RETURN n",
		"CALL algo.pagerank.write({writeProperty: 'x'})",
		"MATCH (n) WITH count(n) AS c CALL algo.wcc.write({writeProperty: 'x'}) YIELD iterations RETURN iterations",
		"CREATE INDEX i FOR (n:A) ON (n.x)", "CREATE CONSTRAINT c FOR (n:A) REQUIRE n.x IS UNIQUE", "DROP INDEX i IF EXISTS",
	} {
		refused(t, statement, auto(t, ann, "", neo4j.AccessModeWrite, statement), forbidden)
		refused(t, statement, auto(t, ann, "", neo4j.AccessModeRead, statement), accessMode)
		_, err := execute(t, ann, "", statement, nil)
		refused(t, statement, err, forbidden)
	}
	for _, statement := range []string{
		"CREATE USER eve SET PASSWORD 'x'", "GRANT ROLE admin TO ann", "REVOKE ROLE reader FROM ann", "DROP USER root",
		"ALTER USER root SET PASSWORD 'x'",
		"ALTER USER ann SET PASSWORD 'x'", "SHOW USERS", "SHOW PRIVILEGES", "SHOW ROLES",
	} {
		refused(t, statement, auto(t, ann, "", neo4j.AccessModeWrite, statement), forbidden)
	}
	does(t, ann, "", "MATCH (n) RETURN n", "CALL algo.pagerank.stats()", "CALL algo.wcc() YIELD node RETURN node",
		"EXPLAIN CREATE (n)", "SHOW CURRENT USER")
	for _, graph := range []string{"air", "sea"} {
		result, err := execute(t, root, graph, "MATCH (n) RETURN count(n) + sum(n.x) AS n", nil)
		if err != nil || result.Records[0].Values[0] != int64(3) {
			t.Errorf("%s was changed: %v %v", graph, result, err)
		}
	}
	result, err := execute(t, root, "", "SHOW USERS", nil)
	if err != nil || len(result.Records) != 2 {
		t.Error(result, err)
	}
}

// To a user of one graph the other is as one that does not exist, and nothing names it.
func TestRoles_OneGraph(t *testing.T) {
	p := guarded(t)
	does(t, p.as(t, "root"), "system", "CREATE USER ann SET PASSWORD \"ann's\" CHANGE NOT REQUIRED",
		"GRANT ROLE writer ON GRAPH sea TO ann",
		"CREATE USER eve SET PASSWORD \"eve's\" CHANGE NOT REQUIRED")
	ann, eve := p.as(t, "ann"), p.as(t, "eve")
	result, err := execute(t, ann, "", "CALL db.info() YIELD name CREATE (:N) RETURN name", nil)
	if err != nil || result.Records[0].Values[0] != "sea" || result.Summary.Database().Name() != "sea" {
		t.Errorf("her only graph is not her home: %v %v", result, err)
	}
	for _, who := range []neo4j.DriverWithContext{ann, eve} {
		told := func(graph string) string {
			var messages []string
			_, managed := execute(t, who, graph, "RETURN 1", nil)
			for _, err := range []error{managed, auto(t, who, graph, neo4j.AccessModeRead, "RETURN 1"),
				auto(t, who, graph, neo4j.AccessModeWrite, "CREATE ()"), auto(t, who, graph, neo4j.AccessModeWrite, "SYNTAX")} {
				refused(t, graph, err, noGraph)
				messages = append(messages, fmt.Sprint(err))
			}
			return strings.Join(messages, "\n")
		}
		there, nowhere := told("air"), told("aix")
		if strings.ReplaceAll(there, "air", "aix") != nowhere {
			t.Errorf("a graph that she may not see: %s\none that does not exist: %s", there, nowhere)
		}
		refused(t, "hints", auto(t, who, "se", neo4j.AccessModeWrite, "RETURN 1"), noGraph)
	}
	result, err = execute(t, eve, "system", "SHOW CURRENT USER", nil)
	if err != nil || result.Records[0].Values[0] != "eve" || result.Summary.Database().Name() == "air" {
		t.Error(result, err)
	}
	err = auto(t, eve, "", neo4j.AccessModeWrite, "RETURN 1")
	if refused(t, "no home", err, noGraph); strings.Contains(fmt.Sprint(err), "air") {
		t.Error(err)
	}
}

// What is revoked ends at the next statement, and at the commit, of sessions that are open.
func TestRoles_RevokedWhileOpen(t *testing.T) {
	p := guarded(t)
	root := p.as(t, "root")
	does(t, root, "", "CREATE USER ann SET PASSWORD \"ann's\" CHANGE NOT REQUIRED", "GRANT ROLE writer TO ann")
	ann := p.as(t, "ann")
	begin := func() (neo4j.SessionWithContext, neo4j.ExplicitTransaction) {
		t.Helper()
		s := ann.NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: "air"})
		tx, err := s.BeginTransaction(t.Context())
		if err == nil {
			_, err = tx.Run(t.Context(), "CREATE (:Never)", nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		return s, tx
	}
	s1, tx1 := begin()
	s2, tx2 := begin()
	does(t, root, "", "REVOKE ROLE writer FROM ann", "GRANT ROLE reader ON GRAPH air TO ann")
	refused(t, "commit after REVOKE", tx1.Commit(t.Context()), forbidden)
	_, err := tx2.Run(t.Context(), "CREATE (:Never)", nil)
	refused(t, "statement after REVOKE", err, forbidden)
	s1.Close(t.Context())
	s2.Close(t.Context())
	does(t, ann, "air", "MATCH (n) RETURN n")
	refused(t, "another graph", auto(t, ann, "sea", neo4j.AccessModeRead, "RETURN 1"), noGraph)

	does(t, root, "", "GRANT ROLE writer TO ann")
	s1, tx1 = begin()
	defer s1.Close(context.Background())
	s2, tx2 = begin()
	defer s2.Close(context.Background())
	cli(t, p.dir, "", "user", "remove", "ann") // the command line does it, too
	refused(t, "commit of a removed user", tx1.Commit(t.Context()), unauthorized)
	_, err = tx2.Run(t.Context(), "MATCH (n) RETURN n", nil)
	refused(t, "statement of a removed user", err, unauthorized)
	refused(t, "a removed user", auto(t, ann, "air", neo4j.AccessModeRead, "RETURN 1"), unauthorized)
	result, err := execute(t, root, "air", "MATCH (n:Never) RETURN count(n) AS n", nil)
	if err != nil || result.Records[0].Values[0] != int64(0) {
		t.Error(result, err)
	}
}

// Passwords that must be changed are; admins keep the server administrable.
func TestAdmin_Statements(t *testing.T) {
	p := guarded(t)
	root := p.as(t, "root")
	if _, err := execute(t, root, "", "CREATE USER $name SET PASSWORD $password",
		map[string]any{"name": "ann", "password": "first"}); err != nil {
		t.Fatal(err)
	}
	does(t, root, "system", "CREATE USER ann IF NOT EXISTS SET PASSWORD 'other'", "DROP USER nobody IF EXISTS",
		"GRANT ROLE reader TO ann;")
	first := open(t, "bolt://"+p.address, neo4j.BasicAuth("ann", "first", ""))
	refused(t, "expired", auto(t, first, "", neo4j.AccessModeRead, "RETURN 1"),
		"Neo.ClientError.Security.CredentialsExpired")
	_, err := execute(t, first, "system", "ALTER CURRENT USER SET PASSWORD FROM $old TO $new",
		map[string]any{"old": "wrong", "new": "ann's"})
	refused(t, "wrong", err, "Neo.ClientError.General.InvalidArguments")
	if _, err := execute(t, first, "system", "ALTER CURRENT USER SET PASSWORD FROM $old TO $new",
		map[string]any{"old": "first", "new": "ann's"}); err != nil {
		t.Fatal(err)
	}
	does(t, first, "air", "MATCH (n) RETURN n")
	does(t, p.as(t, "ann"), "air", "MATCH (n) RETURN n")
	for statement, code := range map[string]string{
		"CREATE USER ann SET PASSWORD 'x'":                        "Neo.ClientError.General.InvalidArguments",
		"CREATE USER `a:b` SET PASSWORD 'x'":                      "Neo.ClientError.General.InvalidArguments",
		"CREATE USER eve SET PASSWORD ''":                         "Neo.ClientError.General.InvalidArguments",
		"CREATE USER eve SET PASSWORD $none":                      "Neo.ClientError.Statement.ParameterMissing",
		"DROP USER nobody":                                        "Neo.ClientError.General.InvalidArguments",
		"DROP USER root":                                          "Neo.ClientError.General.InvalidArguments",
		"REVOKE ROLE admin FROM root":                             "Neo.ClientError.General.InvalidArguments",
		"GRANT ROLE admin ON GRAPH air TO ann":                    "Neo.ClientError.General.InvalidArguments",
		"REVOKE ROLE reader ON GRAPH air FROM ann":                "Neo.ClientError.General.InvalidArguments",
		"GRANT READ {*} ON GRAPH air TO ann":                      "Neo.ClientError.Statement.SyntaxError",
		"CREATE ROLE king":                                        "Neo.ClientError.Statement.SyntaxError",
		"MATCH (n) RETURN n":                                      "Neo.ClientError.Statement.NotSystemDatabaseError",
		"ALTER USER ann SET PASSWORD 'x' CHANGE NOT REQUIRED now": "Neo.ClientError.Statement.SyntaxError",
	} {
		_, err := execute(t, root, "system", statement, nil)
		refused(t, statement, err, code)
	}
	does(t, root, "system", "ALTER USER ann SET PASSWORD 'second' CHANGE NOT REQUIRED",
		"GRANT ROLES reader, writer ON GRAPHS sea, `odd, name` TO ann")
	refused(t, "old password", p.as(t, "ann").VerifyAuthentication(t.Context(), nil), unauthorized)
	result, err := execute(t, root, "system", "SHOW PRIVILEGES", nil)
	if err != nil || len(result.Records) != 1+1+4 {
		t.Error(result, err)
	}
	if list := cli(t, p.dir, "", "user", "list"); !strings.Contains(list,
		"ann reader,reader@odd%2C+name,writer@odd%2C+name,reader@sea,writer@sea") {
		t.Error(list)
	}
}

// Without users everybody on this machine may use the graphs, but nobody makes users by a statement. From the
// first user on all must log in, also those who are connected.
func TestRoles_FirstUser(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, dir, "--create", "--graph", "g")
	defer p.stop(syscall.SIGTERM, 130)
	driver := open(t, "bolt://"+p.address, neo4j.BasicAuth("root", "whatever", ""))
	s := session(t, driver)
	if _, err := single(t.Context(), s, "CREATE (n) RETURN 1", nil); err != nil {
		t.Fatal(err)
	}
	fails(t, s, forbidden, "CREATE USER root SET PASSWORD 'x'")
	cli(t, dir, "secret\n", "user", "add", "root", "--role", "admin")
	fails(t, s, unauthorized, "RETURN 1") // it says that it is root, and never had to prove it
	cli(t, dir, "", "user", "remove", "root")
	fails(t, session(t, driver), unauthorized, "RETURN 1")
}

// from connects to the server from another address of this machine.
func from(t *testing.T, local, server string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(local)}}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			conn, err := dialer.Dial("tcp", server)
			if err != nil {
				client.Close()
				continue
			}
			go pipe(client, conn)
			go pipe(conn, client)
		}
	}()
	return listener.Addr().String()
}

func pipe(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if _, failed := to.Write(buffer[:n]); err != nil || failed != nil {
			return
		}
	}
}

// Who guesses is soon not listened to any more; the user comes in from another address.
func TestLogin_BruteForce(t *testing.T) {
	p := guarded(t)
	const slowed = "Neo.ClientError.Security.AuthenticationRateLimit"
	looked := 0
	for {
		err := open(t, "bolt://"+p.address, neo4j.BasicAuth("root", fmt.Sprint("guess", looked),
			"")).VerifyConnectivity(t.Context())
		var coded *neo4j.Neo4jError
		if errors.As(err, &coded) && coded.Code == slowed {
			break
		}
		if refused(t, "guess", err, unauthorized); looked == 20 {
			t.Fatal("20 guesses are looked at")
		}
		looked++
	}
	if looked < 3 {
		t.Errorf("only %d guesses are looked at: a user who mistypes is slowed", looked)
	}
	elsewhere := open(t, "bolt://"+from(t, "127.0.0.2", p.address), neo4j.BasicAuth("root", "root's", ""))
	if err := elsewhere.VerifyConnectivity(t.Context()); err != nil {
		t.Error(err)
	}
}

// Nothing on disk and nothing in the logs has a password, also not of statements that are wrong.
func TestAudit(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "audit.jsonl")
	p := guarded(t, "--audit", file)
	root := p.as(t, "root")
	does(t, root, "", "CREATE USER ann SET PASSWORD \"ann's\" CHANGE NOT REQUIRED",
		"GRANT ROLE reader ON GRAPH sea TO ann", "MATCH (n) RETURN n")
	for _, wrong := range []string{"CRATE USER bob SET PASSWORD 'topsecret'",
		"CREATE USER bob SET PASSWORD 'topsecret' 'topsecret'", "ALTER USER bob SET PASWORD 'topsecret",
		"/* it's */ CREATE USER x SET PASSWORD 'topsecret'; x"} {
		if auto(t, root, "", neo4j.AccessModeWrite, wrong) == nil {
			t.Error(wrong)
		}
	}
	ann := p.as(t, "ann")
	refused(t, "write", auto(t, ann, "sea", neo4j.AccessModeWrite, "CREATE (n)"), forbidden)
	refused(t, "device", auto(t, root, "", neo4j.AccessModeRead, "CALL algo.wcc({device: '/bin/true'})"),
		"Neo.ClientError.Procedure.ProcedureCallFailed")
	refused(t, "guess", open(t, "bolt://"+p.address, neo4j.BasicAuth("ann", "topsecret",
		"")).VerifyConnectivity(t.Context()), unauthorized)

	text := read(t, file)
	for _, part := range []string{
		`"event":"login","user":"root","address":"127.0.0.1:`, `"user":"ann"`, `"outcome":"` + unauthorized + `"`,
		`"access":"admin"`,
		`"statement":"CREATE USER ann SET PASSWORD '******' CHANGE NOT REQUIRED"`, `"event":"result"`, `"rows":2`,
		`"outcome":"ok"`, `"event":"commit"`,
		`"graph":"sea","access":"write"`, `"outcome":"` + forbidden + `"`,
		`"outcome":"Neo.ClientError.Statement.SyntaxError"`, `"outcome":"Neo.ClientError.Procedure.ProcedureCallFailed"`,
	} {
		if !strings.Contains(text, part) {
			t.Errorf("there is no %s in\n%s", part, text)
		}
	}
	if strings.Contains(text, "topsecret") || strings.Contains(text, "ann's") {
		t.Errorf("a password is recorded:\n%s", text)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	users := read(t, filepath.Join(p.dir, "db", "users"))
	if strings.Contains(users, "ann's") || !strings.Contains(users, ":reader@sea") {
		t.Error(users)
	}

	// After a rename and SIGHUP a new file is written.
	if err := os.Rename(file, file+".1"); err != nil {
		t.Fatal(err)
	}
	if err := p.command.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	for {
		does(t, root, "", "RETURN 1 AS reopened")
		if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), "RETURN 1 AS reopened") {
			break
		}
	}
	if old := read(t, file+".1"); !strings.HasPrefix(old, text) {
		t.Error("the old file has lost lines")
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
