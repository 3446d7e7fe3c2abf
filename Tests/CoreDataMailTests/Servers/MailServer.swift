import CoreDataMail
import Foundation
import TestBasics

/// A mail server beside the test: a real one, or one that does a thing wrong (`smtp_server.py`).
final class MailServer {
    /// A message as the server got it.
    struct Message: Decodable {
        var sender: String
        var recipients: [String]
        var data = Data()

        private enum CodingKeys: CodingKey { case sender, recipients }
    }

    static let missing = "aiosmtpd is missing: apt-get install python3-aiosmtpd libgmime-3.0-0 openssl"

    /// Whether the real server can be started, and messages can be written.
    static let isThere: Bool = {
        guard MailMessage.canBeWritten, (try? Toolchain.url("openssl")) != nil else { return false }
        let process = Process()
        process.executableURL = python
        process.arguments = ["-c", "import aiosmtpd"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Debian's packages are for the system's own Python.
    private static let python = URL(fileURLWithPath: "/usr/bin/python3")

    let port: Int
    private let folder: TemporaryFolder
    private let child: Child

    /// - Parameters:
    ///   - kind: `good`, or a fault.
    ///   - options: As `smtp_server.py` says.
    init(_ kind: String, _ options: [String] = []) throws {
        folder = try TemporaryFolder()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "smtp_server.py")
        child = try Child([script.path, kind, folder.url.path] + options, of: Self.python, errors: .nullDevice)
        guard let line = child.line(), let port = Int(line) else {
            throw Toolchain.Failure(description: "no port of a server")
        }
        self.port = port
    }

    deinit { child.kill() }

    /// The messages so far, in order.
    func messages() throws -> [Message] {
        try (1...).lazy.map { [folder] number in folder.url.appendingPathComponent("\(number)") }
            .prefix { FileManager.default.fileExists(atPath: $0.path + ".json") }
            .map { place in
                var message = try JSONDecoder().decode(
                    Message.self, from: Data(contentsOf: place.appendingPathExtension("json")))
                message.data = try Data(contentsOf: place.appendingPathExtension("eml"))
                return message
            }
    }

    /// The next line that the server prints: one for each message.
    func line() -> String? { child.line() }

    /// The server for a transport, with short waits.
    func address(_ security: SMTPServer.Security = .none, login: Bool = false) -> SMTPServer {
        var server = SMTPServer(host: "127.0.0.1", port: port, security: security)
        if login { server.credentials = .password(user: "anne", password: "s3cret ä") }
        (server.connectTimeout, server.replyTimeout, server.finalTimeout) = (10, 10, 10)
        return server
    }
}

/// A certificate for the loopback address that signs itself.
struct ServerCertificate {
    let folder: TemporaryFolder
    var certificate: URL { folder.url.appendingPathComponent("certificate.pem") }
    var key: URL { folder.url.appendingPathComponent("key.pem") }
    var options: [String] { [certificate.path, key.path] }

    init() throws {
        folder = try TemporaryFolder()
        let (code, output) = try Toolchain.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key.path, "-out", certificate.path,
            ])
        guard code == 0 else { throw Toolchain.Failure(description: output) }
    }
}

/// Messages that tests send.
enum Sample {
    static func message(_ recipients: String..., text: String = "Hello.\n.\n..two\n") throws -> MailMessage {
        MailMessage(
            sender: try MailAddress("Anne <anne@example.org>"), to: try recipients.map { try MailAddress($0) },
            subject: "Greetings", text: text)
    }

    /// A message in a file, in a folder of its own.
    static func file(_ message: MailMessage, in folder: TemporaryFolder) throws -> MailFile {
        try message.write(to: folder.url.appendingPathComponent("\(UUID().uuidString).eml"))
    }
}
