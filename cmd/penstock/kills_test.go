package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/client"
	"github.com/penstock-db/penstock/internal/server/status"
	"github.com/penstock-db/penstock/internal/testseed"
)

// A server with 8 clients that write and 8 that read is killed at random moments and started again: every commit that
// was acknowledged is there, of none the half, readers see whole commits only, the database verifies, and so does what
// is restored from the backups made meanwhile. PENSTOCK_KILL_TIME=60s makes it last longer; PENSTOCK_KILLS=1000 has it
// last until so many kills, and restore every backup.
func TestServe_KilledWithWritersAndReaders(t *testing.T) {
	lasts := time.Second
	if long.Tests() {
		lasts = 5 * time.Second
	}
	if d, err := time.ParseDuration(os.Getenv("PENSTOCK_KILL_TIME")); err == nil {
		lasts = d
	}
	wanted, _ := strconv.Atoi(os.Getenv("PENSTOCK_KILLS"))
	seed := testseed.New(t)
	b := &bank{t: t, dir: t.TempDir() + "/db"}
	b.found()
	b.start()
	ctx, stop := context.WithCancel(context.Background())
	var clients sync.WaitGroup
	for i := range bankClients {
		clients.Go(func() { b.write(ctx, i, rand.New(rand.NewPCG(seed, uint64(i)))) })
		clients.Go(func() { b.read(ctx) })
	}
	made := &bankBackups{bank: b, dir: t.TempDir()}
	clients.Go(func() { made.make(ctx, rand.New(rand.NewPCG(seed, bankClients+1))) })
	r, kills := rand.New(rand.NewPCG(seed, bankClients)), 0
	// However slow the machine is, it goes on until something has been done, for at most two minutes more.
	goesOn := func(since time.Duration) bool {
		idle := b.commits.Load() == 0 || b.readings.Load() == 0
		return since < lasts || idle && since < lasts+2*time.Minute
	}
	for began := time.Now(); (kills < wanted || wanted == 0 && goesOn(time.Since(began))) && !t.Failed(); kills++ {
		time.Sleep(time.Duration(r.Int64N(int64(time.Second))))
		b.kill()
		b.penstock("verify", "g")
		if r.IntN(4) == 0 {
			b.penstock("compact", "g")
		}
		b.start()
	}
	stop()
	clients.Wait()
	b.audit()
	b.kill()
	b.penstock("verify", "g")
	most := mostRestored
	if wanted > 0 {
		most = len(made.whole)
	}
	made.restore(most)
	t.Logf("%d kills, %d commits, %d conflicts, %d readings, %d backups, %d broken off", kills, b.commits.Load(),
		b.conflicts.Load(), b.readings.Load(),
		len(made.whole), made.broken)
	if b.commits.Load() == 0 || b.readings.Load() == 0 {
		t.Error("nothing was done")
	}
	if b.losses.Load() > int64(kills*bankClients*2) {
		t.Errorf("%d connections were lost by %d kills", b.losses.Load(), kills)
	}
}

// bank is a graph of accounts, between which every writer moves money: the sum of all stays.
// Each commit of a writer counts it, and keeps a transfer with the number of the commit;
// every third deletes the transfer before the last.
type bank struct {
	t   *testing.T
	dir string

	mu      sync.Mutex
	server  *exec.Cmd
	address string      // empty: it is down
	log     chan string // what it has told, at its end

	acknowledged                 [bankClients]atomic.Int64 // the last commit of each writer
	commits, conflicts, readings atomic.Int64
	losses                       atomic.Int64 // of connections
}

const (
	bankClients  = 8
	bankAccounts = 20
	bankMoney    = 1000 // of an account at first
)

// found makes the graph.
func (b *bank) found() {
	b.penstock("query", "--create", "--graph", "g", "CREATE CONSTRAINT account FOR (a:Account) REQUIRE a.number IS UNIQUE")
	b.penstock("query", "CREATE INDEX transfer FOR (t:Transfer) ON (t.number)")
	b.penstock("query", fmt.Sprintf("UNWIND range(1, %d) AS i CREATE (:Account {number: i, balance: %d})", bankAccounts,
		bankMoney))
	b.penstock("query", fmt.Sprintf("UNWIND range(0, %d) AS i CREATE (:Writer {number: i, commits: 0})", bankClients-1))
}

// penstock runs a command, which must succeed.
func (b *bank) penstock(command string, args ...string) {
	b.t.Helper()
	if out, err := exec.Command("penstock", append([]string{command, "--db", b.dir},
		args...)...).CombinedOutput(); err != nil {
		b.t.Fatalf("penstock %s: %v\n%s", command, err, out)
	}
}

var bankServing = regexp.MustCompile(`msg=serving address=(\S+)`)

// start starts the server, with so little room for changes that it compacts again and again.
func (b *bank) start() {
	b.t.Helper()
	b.serve(exec.Command("penstock", "serve", "--db", b.dir, "--listen", "127.0.0.1:0", "--changes-memory", "1MiB"))
}

// serve starts a server and waits until it serves.
func (b *bank) serve(server *exec.Cmd) {
	b.t.Helper()
	log, err := server.StderrPipe()
	check(b.t, err)
	check(b.t, server.Start())
	lines, told := bufio.NewScanner(log), strings.Builder{}
	for lines.Scan() {
		fmt.Fprintln(&told, lines.Text())
		if found := bankServing.FindStringSubmatch(lines.Text()); found != nil {
			b.mu.Lock()
			b.server, b.address, b.log = server, found[1], make(chan string, 1)
			b.mu.Unlock()
			go func() {
				rest, _ := io.ReadAll(log)
				b.log <- string(rest)
			}()
			return
		}
	}
	b.t.Fatalf("the server has not started: %v\n%s", server.Wait(), told.String())
}

// kill kills the server, which must not have ended by itself.
func (b *bank) kill() {
	b.t.Helper()
	b.mu.Lock()
	b.address = ""
	b.mu.Unlock()
	check(b.t, b.server.Process.Kill())
	log := <-b.log
	_ = b.server.Wait()
	status, _ := b.server.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signal() != syscall.SIGKILL || strings.Contains(log, "DATA RACE") || strings.Contains(log, "level=ERROR") {
		b.t.Errorf("the server: %s\n%s", b.server.ProcessState, log)
	}
}

// connect waits for the server; nil: the context has ended.
func (b *bank) connect(ctx context.Context) *client.Client {
	for ctx.Err() == nil {
		b.mu.Lock()
		address := b.address
		b.mu.Unlock()
		if address != "" {
			if remote, err := client.Dial(ctx, "bolt://"+address, client.Login{}); err == nil {
				return remote
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil
}

// write commits until the context ends. After each loss of the connection it looks whether the
// commit that was on its way has arrived.
func (b *bank) write(ctx context.Context, writer int, r *rand.Rand) {
	var remote *client.Client
	for ctx.Err() == nil && !b.t.Failed() {
		if remote == nil {
			if remote = b.connect(ctx); remote == nil {
				return
			}
			if err := b.settle(remote, writer); b.lost(err) {
				remote.Close()
				remote = nil
				continue
			}
		}
		err := b.transfer(remote, writer, b.acknowledged[writer].Load()+1, r)
		if b.lost(err) {
			remote.Close()
			remote = nil
		} else if err == nil {
			b.acknowledged[writer].Add(1)
			b.commits.Add(1)
		}
	}
	if remote != nil {
		remote.Close()
	}
}

// lost tells whether err is the loss of the connection; conflicts may be tried again, and any
// other failure is one of the test.
func (b *bank) lost(err error) bool {
	var failure *status.Error
	switch {
	case err == nil:
		return false
	case !errors.As(err, &failure):
		b.losses.Add(1)
		return true
	case strings.HasPrefix(failure.Status, "Neo.TransientError."):
		b.conflicts.Add(1)
	default:
		b.t.Errorf("%s: %s", failure.Status, failure.Message)
	}
	return false
}

// settle finds out the last commit of a writer: it may be one after the last acknowledged.
func (b *bank) settle(remote *client.Client, writer int) error {
	found, err := b.ask(remote, "MATCH (w:Writer {number: $writer}) RETURN w.commits",
		map[string]value.Value{"writer": value.OfInt(int64(writer))})
	if err != nil {
		return err
	}
	acknowledged := b.acknowledged[writer].Load()
	if found < acknowledged || found > acknowledged+1 {
		b.t.Errorf("writer %d: commit %d was acknowledged, %d is there", writer, acknowledged, found)
	}
	b.acknowledged[writer].Store(found)
	return nil
}

// transfer is a transaction of a writer.
func (b *bank) transfer(remote *client.Client, writer int, number int64, r *rand.Rand) error {
	tx, err := remote.Begin(context.Background(), "g", backend.Write)
	if err != nil {
		return err
	}
	from := 1 + r.Int64N(bankAccounts)
	parameters := map[string]value.Value{
		"writer": value.OfInt(int64(writer)), "number": value.OfInt(number), "amount": value.OfInt(r.Int64N(100)),
		"from": value.OfInt(from), "to": value.OfInt(1 + (from+r.Int64N(bankAccounts-1))%bankAccounts),
	}
	statements := []string{
		"MATCH (a:Account {number: $from}), (b:Account {number: $to}) SET a.balance = a.balance - $amount, b.balance = b.balance + $amount " +
			"CREATE (a)-[:SENT]->(:Transfer {writer: $writer, number: $number, amount: $amount})-[:RECEIVED]->(b)",
		"MATCH (w:Writer {number: $writer}) SET w.commits = $number",
	}
	if number%3 == 0 {
		parameters["before"] = value.OfInt(number - 2)
		statements = append(statements, "MATCH (t:Transfer {number: $before, writer: $writer}) DETACH DELETE t")
	}
	for _, statement := range statements {
		if _, err := rowOf(tx.Run(context.Background(), statement, parameters)); err != nil {
			return err
		}
	}
	_, err = tx.Commit(context.Background())
	return err
}

// kept is how many transfers a writer has after so many commits.
func kept(commits int64) int64 { return commits - commits/3 }

// read looks at the graph until the context ends.
func (b *bank) read(ctx context.Context) {
	for ctx.Err() == nil && !b.t.Failed() {
		remote := b.connect(ctx)
		if remote == nil {
			return
		}
		var err error
		for err == nil && ctx.Err() == nil && !b.t.Failed() {
			if err = b.look(remote); err == nil {
				b.readings.Add(1)
			}
		}
		b.lost(err)
		remote.Close()
	}
}

// look checks what must hold in any transaction, over several statements.
func (b *bank) look(remote *client.Client) error {
	var least [bankClients]int64
	for i := range least {
		least[i] = b.acknowledged[i].Load()
	}
	tx, err := remote.Begin(context.Background(), "g", backend.Read)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	money, err := number(tx.Run(context.Background(), "MATCH (a:Account) RETURN sum(a.balance)", nil))
	if err != nil {
		return err
	}
	if money != bankAccounts*bankMoney {
		b.t.Errorf("there is %d of money", money)
	}
	transfers := int64(0)
	for i := range bankClients {
		commits, err := number(tx.Run(context.Background(), "MATCH (w:Writer {number: $writer}) RETURN w.commits",
			map[string]value.Value{"writer": value.OfInt(int64(i))}))
		if err != nil {
			return err
		}
		if commits < least[i] {
			b.t.Errorf("writer %d: commit %d was acknowledged before the transaction began, which sees %d", i, least[i], commits)
		}
		transfers += kept(commits)
	}
	for _, statement := range []string{
		"MATCH (t:Transfer) RETURN count(t)",
		"MATCH (:Account)-[:SENT]->(t:Transfer)-[:RECEIVED]->(:Account) RETURN count(t)",
		"MATCH ()-[r]->() RETURN count(r) / 2",
	} {
		found, err := number(tx.Run(context.Background(), statement, nil))
		if err != nil {
			return err
		}
		if found != transfers {
			b.t.Errorf("%s: %d, not %d", statement, found, transfers)
		}
	}
	return nil
}

// audit compares the transfers of each writer, one by one and by the index, with its commits.
func (b *bank) audit() {
	remote := b.connect(context.Background())
	defer remote.Close()
	check(b.t, b.look(remote))
	for writer := range bankClients {
		check(b.t, b.settle(remote, writer))
		last := b.acknowledged[writer].Load()
		for number := int64(1); number <= last; number++ {
			want := int64(1)
			if number%3 == 1 && number+2 <= last {
				want = 0
			}
			found, err := b.ask(remote, "MATCH (t:Transfer {number: $number}) WHERE t.writer = $writer RETURN count(t)",
				map[string]value.Value{"number": value.OfInt(number), "writer": value.OfInt(int64(writer))})
			check(b.t, err)
			if found != want {
				b.t.Errorf("writer %d, commit %d of %d: there are %d transfers, not %d", writer, number, last, found, want)
			}
		}
	}
}

// ask runs a statement for one number.
func (b *bank) ask(remote *client.Client, statement string, parameters map[string]value.Value) (int64, error) {
	return number(remote.Run(context.Background(), "g", backend.Read, statement, parameters))
}

// number is the only value of a result.
func number(result backend.Result, err error) (int64, error) {
	row, err := rowOf(result, err)
	if err != nil {
		return 0, err
	}
	if len(row) != 1 || row[0].Kind() != value.Int {
		return 0, &status.Error{Status: "no number", Message: value.OfList(row).Text()}
	}
	return row[0].Int(), nil
}

// rowOf is the last row of a result.
func rowOf(result backend.Result, err error) (row []value.Value, _ error) {
	if err != nil {
		return nil, err
	}
	for result.Next() {
		row = result.Row()
	}
	return row, errors.Join(result.Err(), result.Close())
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
