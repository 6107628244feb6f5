// A typed client as the field has them: it logs in, makes one of each kind of record with nothing but what is required,
// reads it, changes it by sending back what it read, and removes it. Every answer has to fit its types.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"strings"
)

type client struct {
	http *http.Client
	url  string
}

type alert struct {
	Level string `json:"level"`
	Text  string `json:"text"`
}

func fail(format string, values ...any) {
	fmt.Printf(format+"\n", values...)
	os.Exit(1)
}

// ask decodes the response's `response` into `found`, when there is something to decode it into.
func (c client) ask(method, path string, body, found any) {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			fail("%s %s: %v", method, path, err)
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, c.url+path, sent)
	if err != nil {
		fail("%s %s: %v", method, path, err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := c.http.Do(request)
	if err != nil {
		fail("%s %s: %v", method, path, err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != http.StatusOK {
		fail("%s %s: %d %s", method, path, answer.StatusCode, text)
	}
	if ignored := answer.Header.Get("X-Edgewright-Ignored"); ignored != "" && method != http.MethodGet {
		fmt.Printf("%s %s: nothing reads %s\n", method, path, ignored)
	}
	if found == nil {
		return
	}
	envelope := struct {
		Response any     `json:"response"`
		Alerts   []alert `json:"alerts"`
	}{Response: found}
	if err := json.Unmarshal(text, &envelope); err != nil {
		fail("%s %s: %v in %s", method, path, err, text)
	}
}

func (c client) login(name, password string) {
	c.ask(http.MethodPost, "/user/login", map[string]string{"u": name, "p": password}, nil)
}

// one reads the record that a filter finds.
func one[T any](c client, list, filter string) T {
	var found []T
	c.ask(http.MethodGet, list+"?"+filter, nil, &found)
	if len(found) != 1 {
		fail("%s?%s shows %d records", list, filter, len(found))
	}
	return found[0]
}

var removals []func()

// lives makes a record, reads it, changes it and reads it again; it is removed at the end.
func lives[T any](c client, list, filter string, record T, id func(T) int, change func(*T), isChanged func(T) bool) T {
	c.ask(http.MethodPost, list, record, nil)
	return goesOn(c, list, filter, id, change, isChanged)
}

func goesOn[T any](c client, list, filter string, id func(T) int, change func(*T), isChanged func(T) bool) T {
	made := one[T](c, list, filter)
	at := fmt.Sprintf("%s/%d", list, id(made))
	if byQuery[list] {
		at = fmt.Sprintf("%s?id=%d", list, id(made))
	}
	change(&made)
	c.ask(http.MethodPut, at, made, nil)
	now := one[T](c, list, filter)
	if !isChanged(now) {
		text, _ := json.Marshal(now)
		fail("PUT %s left %s", at, text)
	}
	removals = append(removals, func() { c.ask(http.MethodDelete, at, nil, nil) })
	fmt.Printf("%s lived\n", strings.TrimPrefix(list, "/"))
	return now
}

var byQuery = map[string]bool{"/coordinates": true, "/origins": true, "/staticdnsentries": true}

func p[T any](value T) *T { return &value }

func main() {
	if len(os.Args) != 4 {
		fail("usage: fieldclient URL USER PASSWORD")
	}
	jar, _ := cookiejar.New(nil)
	c := client{&http.Client{Jar: jar}, os.Args[1] + "/api/1.3"}
	c.login(os.Args[2], os.Args[3])
	inventory(c)
	people(c)
	for at := len(removals) - 1; at >= 0; at-- {
		removals[at]()
	}
	fmt.Println("all removed")
}
