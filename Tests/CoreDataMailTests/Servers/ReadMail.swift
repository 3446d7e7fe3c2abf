import Foundation
import TestBasics

/// A message as Python's `email` takes it apart.
struct ReadMail: Decodable {
    struct Part: Decodable {
        var type: String
        var charset: String?
        var encoding: String?
        var disposition: String?
        var name: String?
        var identifier: String?
        var size: Int?
        var digest: String?
        var text: String?
    }

    var fields: [String]
    var subject: String?
    var from, to, cc, replyTo: [[String]]
    var identifier: String?
    var time: Double?
    var parts: [Part]
    var defects: [String]
    var longestLine, bareBreaks, highBytes: Int

    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    init(_ file: URL) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "mail_reader.py")
        let (code, output) = try Toolchain.run("python3", [script.path, file.path])
        guard code == 0 else { throw Toolchain.Failure(description: output) }
        self = try JSONDecoder().decode(Self.self, from: Data(output.utf8))
    }

    init(_ data: Data) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("message.eml")
        try data.write(to: file)
        try self.init(file)
    }
}

/// What the tests need of the system.
enum MailLibrary {
    static let missing = "GMime is missing: apt-get install libgmime-3.0-0"
}
