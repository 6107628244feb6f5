// A MongoDB-compatible server for tests: FerretDB with its SQLite handler.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	directory := flag.String("directory", "", "where the databases lie; it must exist")
	port := flag.Int("port", 0, "port on 127.0.0.1; 0 takes a free one")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	server, err := ferretdb.New(&ferretdb.Config{
		Listener: ferretdb.ListenerConfig{TCP: fmt.Sprintf("127.0.0.1:%d", *port)},
		Logger:   slog.New(errorsOnly{slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})}),
		Handler:  "sqlite",
		// It need outlast the end of this process only, not that of the machine.
		SQLiteURL: "file:" + *directory + "/?_pragma=synchronous(off)&_pragma=cache_size(-65536)",
	})
	if err != nil {
		log.Fatal(err)
	}
	// The address is known once Run listens; asking for it waits until then.
	go func() { fmt.Println("ready", server.MongoDBURI()) }()
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}

// errorsOnly does not prepare, for each request, attributes that no line will have.
type errorsOnly struct{ slog.Handler }

func (h errorsOnly) WithAttrs([]slog.Attr) slog.Handler { return h }

func (h errorsOnly) WithGroup(string) slog.Handler { return h }
