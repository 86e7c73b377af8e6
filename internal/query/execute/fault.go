package execute

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/store"
)

// faulty is the error as clients are told.
func faulty(err error) error {
	if err == nil || errors.As(err, new(*fault.Error)) {
		return err
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return caused(err, fault.TimeLimit, "TimeLimit",
			"the statement took longer than it is allowed to: make it simpler, or allow more time")
	case errors.As(err, new(*store.DeletedError)):
		return caused(err, fault.EntityNotFound, "DeletedEntityAccess", err.Error())
	case errors.As(err, new(*store.ConnectedError)):
		return caused(err, fault.ConstraintVerificationFailed, "DeleteConnectedNode", err.Error())
	}
	return err
}

func caused(err error, kind fault.Kind, detail, message string) error {
	return &fault.Error{Kind: kind, Detail: detail, Message: message, Runtime: true, Err: err}
}
