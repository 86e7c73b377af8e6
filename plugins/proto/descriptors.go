//go:build ignore

// Descriptors writes the descriptors of CEL's checked expressions, and of what they
// import, to the file it is given: what protoc needs to compile device.proto.
package main

import (
	"log"
	"os"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

func main() {
	set := &descriptorpb.FileDescriptorSet{}
	add(set, exprpb.File_google_api_expr_v1alpha1_checked_proto, map[string]bool{})
	b, err := proto.Marshal(set)
	if err == nil {
		err = os.WriteFile(os.Args[1], b, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// add appends file after its imports, each once: protoc wants that order.
func add(set *descriptorpb.FileDescriptorSet, file protoreflect.FileDescriptor, seen map[string]bool) {
	if seen[file.Path()] {
		return
	}
	seen[file.Path()] = true
	imports := file.Imports()
	for i := range imports.Len() {
		add(set, imports.Get(i).FileDescriptor, seen)
	}
	set.File = append(set.File, protodesc.ToFileDescriptorProto(file))
}
