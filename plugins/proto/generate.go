// Package proto holds the wire form of the device contract. device.proto is the source;
// the Go code beside it is generated and committed.
//
// CEL's own messages are taken from the Go package that already has them, by way of a
// descriptor set, so that no copy of their .proto files is kept here.
package proto

//go:generate go run descriptors.go cel.binpb
//go:generate protoc --proto_path=. --descriptor_set_in=cel.binpb --go_out=paths=source_relative:. --go-grpc_out=paths=source_relative:. penstock/device/v1/device.proto
//go:generate rm cel.binpb
