package message

// Tags of messages.
const (
	TagHello     = 0x01
	TagGoodbye   = 0x02
	TagReset     = 0x0F
	TagRun       = 0x10
	TagBegin     = 0x11
	TagCommit    = 0x12
	TagRollback  = 0x13
	TagDiscard   = 0x2F
	TagPull      = 0x3F
	TagTelemetry = 0x54
	TagRoute     = 0x66
	TagLogon     = 0x6A
	TagLogoff    = 0x6B

	TagSuccess = 0x70
	TagRecord  = 0x71
	TagIgnored = 0x7E
	TagFailure = 0x7F
)

// IsReset tells whether a message is a RESET, without decoding it.
func IsReset(message []byte) bool { return len(message) > 1 && message[1] == TagReset }
