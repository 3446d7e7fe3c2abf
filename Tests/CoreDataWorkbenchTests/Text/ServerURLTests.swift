import CoreDataWorkbench
import Foundation
import Testing

/// How the URL of a server is shown: never with a password.
@Suite struct ServerURLTests {
    @Test(
        "the URL of a server is shown without passwords, wherever they stand",
        arguments: [
            ("postgresql://ann:s3cret@host/db?schema=shop", "postgresql://ann@host/db?schema=shop"),
            ("postgresql://ann:s3cret@one,two/db", "postgresql://ann@one,two/db"),
            ("postgresql://ann:s3%40cret@[::1]:5432/db", "postgresql://ann@[::1]:5432/db"),
            ("postgresql://ann:s3c:ret@host", "postgresql://ann@host"),
            ("postgresql://host/db?user=ann&password=s3cret", "postgresql://host/db?user=ann"),
            ("postgresql://host/db?password=s3cret", "postgresql://host/db"),
            ("postgresql://host/db?sslpassword=s3cret&sslmode=require", "postgresql://host/db?sslmode=require"),
            ("postgresql://host/db?pass%77ord=s3cret&schema=a", "postgresql://host/db?schema=a"),
            ("postgresql:///db?host=/var/run&PASSWORD=s3cret", "postgresql:///db?host=/var/run"),
            ("postgresql://host:5432/db", "postgresql://host:5432/db"),
            ("postgresql://ann:53?cret@host/db?schema=a", "postgresql://ann@host/db?schema=a"),
            ("postgresql://ann@host/a:b@c", "postgresql://ann@host/a:b@c"),
        ])
    func passwordsAreLeftOut(_ given: String, _ shown: String) throws {
        let url = try #require(URL(string: given))
        #expect(url.place == shown)
        #expect(!url.place.contains("s3") && !url.place.contains("cret"))
    }

    @Test("a file is shown by its path")
    func filesAreShownByPath() { #expect(URL(fileURLWithPath: "/a/b c?password=d").place == "/a/b c?password=d") }
}
