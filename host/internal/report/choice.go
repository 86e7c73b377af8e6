package report

// Choice is how a device was chosen.
type Choice struct {
	Device  string         `json:"device"`
	Options []DeviceOption `json:"options"`
}

// DeviceOption is a device that might be chosen, and what is expected of it.
type DeviceOption struct {
	Device  string  `json:"device"`
	Refused string  `json:"refused,omitempty"` // why it cannot be; nothing is expected then
	Seconds float64 `json:"seconds"`           // of the whole run, from all sources
	Launch  float64 `json:"launch"`            // of them
	Load    float64 `json:"load"`              // planning, transfer and conversion
	Compute float64 `json:"compute"`
	Rounds  float64 `json:"rounds"`
	Bytes   uint64  `json:"bytes"` // on the device
}
