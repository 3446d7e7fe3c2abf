import CoreDataSyncing
import Foundation
import TestBasics
import Testing

@testable import CoreDataSyncSealing

@Suite("Bytes of sealed items")
struct SealedFormatTests {
    private let device = DeviceKey(seed: SecretBytes(Array(0..<32)), label: "device")
    private let key = SealingKey(SecretBytes(Array(32..<64)))
    private let group = Fingerprint(64..<96)

    @Test("the vectors of Docs/SyncFormat.md, which the second writer computed")
    func vectorsAreWritten() throws {
        let sealed = SealedItem.seal(text("content"), named: "name", .content, author: device, key: key, group: group)
        let founding = Statement(.founding(device.identity, salt: Array(0..<16)), by: device)
        let vectors = [
            "signing key": "\(device.identity.signer)", "receiving key": "\(device.identity.receiver)",
            "identifier of the key": Hexadecimal.text(key.identifier), "nonce": Hexadecimal.text(sealed[24..<48]),
            "digest of the item": Hexadecimal.text(Sodium.hash(sealed)),
            "digest of the head": Hexadecimal.text(Sodium.hash(sealed[..<448])),
            "fingerprint of the group": "\(founding.identity)",
            "name of the item": SealedItem.name(of: "name", author: device.identity.signer, key: key),
        ]
        let expected = [
            "signing key": "9b2d04fbb8266b97376e645fa3a3f57b3df6c4bf696721c6b8cbee1bd134e46e",
            "receiving key": "4bf83dcdaeee8333389aab2d415a2c88670ce50563462fa5589314a96557f356",
            "identifier of the key": "7bb42555755871144bb2d165d3658bac",
            "nonce": "b29f895716a8e8297306a49dd3033675d65bbaef190487a2",
            "digest of the item": "6536845c2c26c12bf2a2ab8edd024e220f7a569be0accc1d46a451aff4ed318a",
            "digest of the head": "1b02fb1ab3d1acb70b0e31c23690b17472dc8e8910d704c172a8ff2655f023cb",
            "fingerprint of the group": "3a19fc437f6163960ad9698e51012721ade888a3360288235cc2c184c576ad3e",
            "name of the item": "929254dd633906c0fa42f1d8db5f9c42d75fedbb.ocsync",
        ]
        #expect(vectors == expected)
    }

    @Test(
        "a second reader, in Python, opens what is written",
        .enabled(if: SecondReader.isThere, "python3-nacl is missing"))
    func secondReaderOpens() throws {
        let other = DeviceKey(seed: SecretBytes(Array(1..<33)), label: "other – é")
        let founding = Statement(.founding(device.identity, salt: Array(0..<16)), by: device)
        let admission = Statement(.admission(other.identity), by: device, group: group)
        let revocation = Statement(
            .revocation(other.identity.signer, statements: [founding.identity, admission.identity], items: [group]),
            by: device, group: group)
        let stated = Statement(.key(key.identifier, after: [revocation.identity]), by: device, group: group)
        var lines = [
            "seed \(Hexadecimal.text(device.seed.bytes))", "key \(Hexadecimal.text(key.secret.bytes))",
            "group \(group)",
        ]
        var expected: [String] = []
        let signer = device.identity.signer
        for count in [1, 511, 513, 9_000] {
            let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let sealed = SealedItem.seal(content, named: "n\(count)", .content, author: device, key: key, group: group)
            lines.append("item \(Hexadecimal.text(sealed))")
            expected.append("item 1 \(signer) n\(count) \(Hexadecimal.text(content))")
        }
        for (number, statement) in [founding, admission, revocation, stated].enumerated() {
            lines.append("statement \(Hexadecimal.text(statement.bytes))")
            let detail = [
                "\(signer) device", "\(other.identity.signer) other – é", "\(other.identity.signer) 2 1",
                "\(Hexadecimal.text(key.identifier)) 1",
            ][number]
            expected.append("statement \(number + 1) \(signer) \(statement.identity) \(detail)")
        }
        let keys = [key, SealingKey.make()]
        let envelope = try KeyEnvelope.seal(keys, for: device.identity, from: other, group: group)
        lines.append("envelope \(Hexadecimal.text(envelope))")
        let secrets = keys.map { Hexadecimal.text($0.secret.bytes) }.joined(separator: " ")
        expected.append("envelope \(other.identity.signer) \(secrets)")
        #expect(try SecondReader.run(lines) == expected)
        #expect(try SecondReader.run(["--vectors"]).count == 8)
    }
}

/// The reader in Python, which needs Debian's python3-nacl.
private enum SecondReader {
    private static let python = "/usr/bin/python3"

    static let isThere: Bool = {
        FileManager.default.isExecutableFile(atPath: python)
            && (try? launch(["-c", "import nacl.bindings"]))?.status == 0
    }()

    /// The lines that the reader prints for lines of a file, or for an option.
    static func run(_ lines: [String]) throws -> [String] {
        let folder = try TemporaryFolder()
        let input = folder.url.appendingPathComponent("input")
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: input)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "sealed_reader.py")
        let isOption = lines.count == 1 && lines[0].hasPrefix("--")
        let ended = try launch([script.path, isOption ? lines[0] : input.path])
        #expect(ended.status == 0)
        return ended.output.split(separator: "\n").map(String.init)
    }

    private static func launch(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = arguments
        process.environment = ["PYTHONIOENCODING": "utf-8"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
