//go:build tools

// Package tools names the command that the benchmark builds, so that `go mod tidy` keeps its module.
package tools

import _ "github.com/tohjustin/kube-lineage/cmd/kube-lineage"
