import CoreData
import CoreDataPostgres
import Foundation
import StoreContract
import TestBasics
import TestServers
import Testing

/// Servers that prove who they are by certificates, and users that do.
@Suite(
    .enabled(
        if: PostgresServer.isAvailable && FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"),
        "there is no PostgreSQL server, or no openssl"), .timeLimit(.minutes(5)))
struct CertificateTests {
    /// A server on the loopback address, with certificates in its own folder.
    private static func server(port: Int, name: String, days: Int) throws -> (PostgresServer, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let place = folder.url.path
        let server = try PostgresServer(settings: [
            "port": "\(port)", "listen_addresses": "127.0.0.1", "ssl": "on", "ssl_ca_file": "ca.crt",
            "ssl_cert_file": "server.crt", "ssl_key_file": "server.key",
        ]) { server in
            try server.makeEmptyCluster()
            let request = "openssl req -newkey rsa:2048 -nodes"
            func sign(_ file: String, _ options: String) -> String {
                "openssl x509 -req -in \(file).csr -CA ca.crt -CAkey ca.key -CAcreateserial \(options) -out \(file).crt"
            }
            let commands = [
                "cd '\(server.data)'",
                "openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -subj /CN=ca -days 2",
                "\(request) -keyout server.key -out server.csr -subj /CN=server", "echo subjectAltName=\(name) > names",
                sign("server", "-days \(days) -extfile names"),
                "\(request) -keyout client.key -out client.csr -subj /CN=coredata", sign("client", "-days 2"),
                "chmod 600 *.key",
                "echo 'local all all trust\nhostssl all all 127.0.0.1/32 cert' > pg_hba.conf",
            ].joined(separator: " && ")
            try server.run("sh -c \"\(commands)\" 2>/dev/null")
        }
        // The keys belong to the user of the server.
        for file in ["ca.crt", "client.crt", "client.key"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(server.data)/\(file)"))
            let copy = "\(place)/\(file)"
            guard FileManager.default.createFile(atPath: copy, contents: bytes, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
        }
        return (server, folder)
    }

    private static func open(_ port: Int, _ folder: TemporaryFolder, root: Bool = true, client: Bool = true) throws
        -> Stack
    {
        var components = try #require(URLComponents(string: "postgresql://coredata@127.0.0.1:\(port)/postgres"))
        var items = [("schema", "certified"), ("sslmode", "verify-full")]
        if root { items.append(("sslrootcert", "\(folder.url.path)/ca.crt")) }
        items.append(("sslcert", client ? "\(folder.url.path)/client.crt" : "/nowhere"))
        if client { items.append(("sslkey", "\(folder.url.path)/client.key")) }
        components.queryItems = items.map { URLQueryItem(name: $0.0, value: $0.1) }
        return try Stack(
            HeroModel.make(), url: try #require(components.url), kind: .postgreSQL,
            options: [NSPersistentStoreTimeoutOption: 5])
    }

    private static func refusal(_ body: () throws -> Stack) throws -> NSError {
        let error = try #require(throws: NSError.self) { try body() }
        #expect(error.localizedRecoverySuggestion?.contains("certificate") == true, "\(error)")
        return error
    }

    @Test("a certificate of the server that is right is taken, and users prove who they are by theirs (HAZ-61)")
    func certificateOfServerThatIsRightIsTaken() throws {
        let port = try FreePorts.find(1)[0]
        let (server, folder) = try Self.server(port: port, name: "IP:127.0.0.1", days: 2)
        defer { server.stop() }
        let stack = try Self.open(port, folder)
        stack.context.insert("Hero", ["name": "a"])
        try stack.context.save()
        _ = try Self.refusal { try Self.open(port, folder, client: false) }
        _ = try Self.refusal { try Self.open(port, folder, root: false) }
    }

    @Test(
        "a certificate of another name, and an expired one, are reported with what to look at (HAZ-61)",
        arguments: [("DNS:elsewhere.example", 2), ("IP:127.0.0.1", -1)])
    func certificateOfAnotherName(name: String, days: Int) throws {
        let port = try FreePorts.find(1)[0]
        let (server, folder) = try Self.server(port: port, name: name, days: days)
        defer { server.stop() }
        _ = try Self.refusal { try Self.open(port, folder) }
    }
}
