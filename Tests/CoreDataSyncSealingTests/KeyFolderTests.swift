import CoreDataSyncing
import Foundation
import TestBasics
import Testing

@testable import CoreDataSyncSealing

@Suite("Keys of a device")
struct KeyFolderTests {
    private func mode(_ path: String) throws -> Int {
        let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        return try #require(value).intValue
    }

    @Test("the file can be read by its owner alone, and is refused otherwise")
    func fileIsPrivate() throws {
        let devices = try SealedDevices(2)
        let folder = devices[1].folder.url.path
        let file = "\(folder)/\(devices[1].groupFingerprint).keys"
        #expect(try mode(folder) == 0o700)
        #expect(try mode(file) == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                file.components(separatedBy: "/").last, "lock",
            ])
        for wrong in [0o640, 0o604, 0o660, 0o644] {
            try FileManager.default.setAttributes([.posixPermissions: wrong], ofItemAtPath: file)
            let error = #expect(throws: SyncError.self) { try devices.reopened(1) }
            #expect(error?.code == .keys)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        _ = try devices.reopened(1)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(throws: SyncError.self) { try devices.reopened(1) }
        unlink(file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/etc/passwd")
        #expect(throws: SyncError.self) { try devices.reopened(1) }
    }

    @Test("nothing that prints a key or a text shows its secret")
    func secretsAreNotPrinted() throws {
        let devices = try SealedDevices(1)
        let text = try devices[0].invite(validFor: 60)
        let key = try DeviceKey.make(label: "label")
        let sealing = SealingKey.make()
        for value in [key, text, sealing, key.seed] as [Any] {
            var shown = "\(value) \(String(reflecting: value))\n"
            dump(value, to: &shown)
            #expect(shown.contains("(secret)"))
            #expect(!shown.contains(text.text.dropFirst(30)))
            // An array is printed in one line, and dumped with an element a line.
            for secret in [key.seed.bytes, sealing.secret.bytes, text.secret.bytes] {
                #expect(!shown.contains(secret.prefix(4).map { "\($0)" }.joined(separator: ", ")))
                let lines = shown.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                let dumped = secret.map { "- \($0)" }
                #expect(!lines.indices.contains { lines[$0...].starts(with: dumped.prefix(4)) })
            }
        }
    }

    @Test("the usual folder follows the variables of the system")
    func folderFollowsVariables() throws {
        let standard = { try KeyFolder.standard(environment: $0).url.path }
        #expect(try standard(["XDG_STATE_HOME": "/state", "HOME": "/home/a"]) == "/state/opencoredata/sync")
        #expect(
            try standard(["XDG_STATE_HOME": "state", "HOME": "/home/a"]) == "/home/a/.local/state/opencoredata/sync")
        #expect(throws: SyncError.self) { try KeyFolder.standard(environment: [:]) }
    }

    @Test("two transports of one device keep what each learned")
    func processesShareTheFile() throws {
        let devices = try SealedDevices(2)
        let (first, second) = (try devices.reopened(0), try devices.reopened(0))
        let texts = [try first.invite(validFor: 60), try second.invite(validFor: 60)]
        let record = try #require(try devices[0].folder.record(of: first.fingerprint))
        let secrets = record.invitations.map { Array($0.secret) }
        #expect(texts.allSatisfy { secrets.contains($0.secret.bytes) })
    }
}
