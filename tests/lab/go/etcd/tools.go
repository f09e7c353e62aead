//go:build tools

// Package tools names the command that the lab builds, so that `go mod tidy` keeps its module.
package tools

import _ "go.etcd.io/etcd/server/v3"
