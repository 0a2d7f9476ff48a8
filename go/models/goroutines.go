// Go: a goroutine for each connection, on threads that the runtime chooses.
package main

import (
    "bufio"
    "bytes"
    "fmt"
    "net"
    "time"
)

func serve(client net.Conn) {
    defer client.Close()
    reader := bufio.NewReader(client)
    for {
        client.SetReadDeadline(time.Now().Add(30 * time.Second))
        line, err := reader.ReadBytes('\n')
        if err != nil {
            return
        }
        if _, err := client.Write(bytes.ToUpper(line)); err != nil {
            return
        }
    }
}

func main() {
    server, err := net.Listen("tcp", "127.0.0.1:0")
    if err != nil {
        panic(err)
    }
    fmt.Println(server.Addr().(*net.TCPAddr).Port)
    for {
        client, err := server.Accept()
        if err == nil {
            go serve(client)
        }
    }
}
