package bolt

import (
	"context"
	"errors"
	"testing"

	"github.com/penstock-db/penstock/internal/server/bolt/internal/fake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
)

// onlyAnn lets one user in.
type onlyAnn struct{}

func (onlyAnn) Authenticate(_ context.Context, scheme, user, password string) (string, error) {
	if scheme == "basic" && user == "ann" && password == "sesame" {
		return user, nil
	}
	return "", errors.New("the name or the password is wrong")
}

func TestLogin(t *testing.T) {
	address := serve(t, fake.New(), Options{Auth: onlyAnn{}})
	ann := fields(message.Text("scheme", "basic"), message.Text("principal", "ann"), message.Text("credentials", "sesame"))
	eve := fields(message.Text("scheme", "basic"), message.Text("principal", "ann"), message.Text("credentials", "x"))
	c := dial(t, address)
	c.propose(0x0105)
	c.send(message.TagHello, none)
	c.succeeds()
	c.send(message.TagLogon, ann)
	c.succeeds()
	c.send(message.TagLogoff)
	c.succeeds()
	c.send(message.TagLogon, eve)
	c.fails("Neo.ClientError.Security.Unauthorized")
	c.isClosed()
	early := dial(t, address)
	early.propose(0x0105)
	early.send(message.TagHello, none)
	early.succeeds()
	early.sendRun("COUNT 1")
	early.fails("Neo.ClientError.Request.Invalid")
	early.isClosed()
	for _, old := range []uint32{0x0005, 0x0404} {
		c := dial(t, address)
		c.propose(old)
		c.send(message.TagHello, ann)
		c.succeeds()
		c.run("COUNT 1")
		c = dial(t, address)
		c.propose(old)
		c.send(message.TagHello, eve)
		c.fails("Neo.ClientError.Security.Unauthorized")
		c.isClosed()
	}
}
