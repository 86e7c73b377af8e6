package value

// Plain is the value as a file or a table cell has it: strings and temporal values without
// quotes, null as nothing.
func (v Value) Plain() string {
	switch v.kind {
	case Null:
		return ""
	case String:
		return v.Str()
	case Date, LocalTime, Time, LocalDateTime, DateTime, Duration:
		return string(v.appendISO(nil))
	}
	return v.Text()
}
