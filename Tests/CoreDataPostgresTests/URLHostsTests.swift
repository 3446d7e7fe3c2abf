import CoreDataPostgres
import Foundation
import Testing

/// Text that libpq takes as a URL, as the URL of a store.
@Suite struct URLHostsTests {
    @Test(
        "hosts with ports of their own, and invalid ports, become parameters",
        arguments: [
            (
                "postgresql://ann:pw@one:5432,two:5433/db?schema=a",
                "postgresql://ann:pw@/db?schema=a&host=one,two&port=5432,5433"
            ),
            ("postgres://one:1,two/db", "postgres:///db?host=one,two&port=1,"),
            ("postgresql://[::1]:1,[fe80::2]:2", "postgresql://?host=::1,fe80::2&port=1,2"),
            ("postgresql://host:x/db", "postgresql:///db?host=host&port=x"),
        ])
    func hostsWithPortsOfTheirOwn(_ text: String, _ url: String) {
        #expect(URL(string: text) == nil)
        #expect(URL(server: text)?.absoluteString == url)
    }

    @Test("other URLs stay as they are, and those that are not of PostgreSQL give nil")
    func asGiven() {
        for text in ["postgresql://ann@one,two/db?port=1,2", "postgres:///db?host=/run", "postgresql://h:5432/d"] {
            #expect(URL(server: text)?.absoluteString == text)
        }
        for text in ["/a/b.sqlite", "postgresql:/x", "mysql://h:1,i:2/d", ""] { #expect(URL(server: text) == nil) }
    }

    @Test(
        "what libpq takes in a password is escaped, and the scheme has no case",
        arguments: [
            ("postgresql://me:a#b?c d@h/db", "postgresql://me:a%23b%3Fc%20d@h/db"),
            ("postgresql://me:a%23%zz@h:1,i:2/db", "postgresql://me:a%23%25zz@/db?host=h,i&port=1,2"),
            ("POSTGRESQL://me:a@h/db", "postgresql://me:a@h/db"), ("Postgres://h/db", "postgres://h/db"),
            ("postgresql:///db?user=me@corp", "postgresql:///db?user=me@corp"),
        ])
    func whatLibpqTakesInPasswordIsEscaped(_ text: String, _ url: String) {
        #expect(URL(server: text)?.absoluteString == url)
    }

    @Test(
        "a URL that divides elsewhere than its writer meant is refused, without a word of it",
        arguments: [
            "postgresql://me:hu/sh@h/db", "postgresql://me:12/34@h/db", "postgresql://me:h@ush@h/db",
            "postgresql://me:1/sh?x=1@h/db", "postgresql://me:1/sh?x@h/db", "postgresql:/me:hush@h/db",
        ])
    func urlThatDividesElsewhereThanItsWriterMeantIsRefused(_ text: String) {
        let problem = #expect(throws: ServerURLText.Problem.self) { try URL(checkingServer: text) }
        #expect(problem.map { !"\($0)".contains("me:") && !"\($0)".contains("@h/db") } == true)
    }
}
