import CoreDataSyncHub
import CoreDataSyncHubServer
import CoreDataSyncing
import Foundation
import TestBasics
import Testing

@Suite("Keys of a hub and its clients")
struct HubKeyTests {
    @Test("a hub of another key is refused before anything is asked of it")
    func wrongPinIsRefused() throws {
        let test = try TestHub()
        let client = try test.client()
        try client.write([1], named: "a.ocsync")
        let other = try test.key("other").pin
        let address = "https://127.0.0.1:\(test.hub.port)/group#\(other)"
        let wrong = try HubTransport(address, key: test.key("phone"))
        let error = #expect(throws: SyncError.self) { try wrong.items() }
        #expect(error?.code == .transport)
        #expect(error?.description.contains("does not have the key of the address") == true)
        #expect(throws: SyncError.self) { try wrong.write([1], named: "b.ocsync") }
        #expect(test.files() == ["a.ocsync"])
    }

    @Test("a client whose key is not admitted is refused, with its pin to admit it by, and is served once it is")
    func unknownClientIsRefused() throws {
        let test = try TestHub()
        try test.client().write([1], named: "a.ocsync")
        let key = try test.key("stranger")
        let client = try HubTransport(test.hub.address(of: "group"), key: key)
        let error = #expect(throws: SyncError.self) { try client.items() }
        #expect(error?.description.contains("\(key.pin)") == true)
        #expect(error?.cure.contains("sync admit") == true)
        #expect(throws: SyncError.self) { try client.write([1], named: "b.ocsync") }
        #expect(throws: SyncError.self) { try client.remove("a.ocsync") }
        #expect(test.files() == ["a.ocsync"])
        try test.admitted.admit(key.pin, to: "group")
        #expect(try client.items().map(\.name) == ["a.ocsync"])
        let elsewhere = try HubTransport(test.hub.address(of: "other"), key: key)
        #expect(throws: SyncError.self) { try elsewhere.items() }
        #expect(try test.admitted.strikeOff(key.pin))
        #expect(throws: SyncError.self) { try client.items() }
        #expect(try !test.admitted.strikeOff(key.pin))
    }

    @Test("after the only key was struck off none is admitted, and the next one can be")
    func onlyKeyIsStruckOff() throws {
        let folder = try TemporaryFolder()
        let keys = AdmittedKeys(hub: folder.url)
        let pin = try HubKey(at: folder.url.appendingPathComponent("a.pem")).pin
        try keys.admit(pin, to: "group")
        #expect(try keys.strikeOff(pin))
        #expect(try keys.list().isEmpty)
        try keys.admit(pin, to: "*")
        #expect(try keys.list().map(\.group) == ["*"])
        // An editor of another system ends lines otherwise.
        let file = folder.url.appendingPathComponent("admitted-keys")
        try Data("# keys\r\n\(pin) one\r\n\(pin) two\r\n".utf8).write(to: file)
        #expect(try keys.list().map(\.group) == ["one", "two"])
    }

    @Test("a key that others may read is refused, and its file is printed nowhere")
    func keyIsPrivate() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("key.pem")
        let key = try HubKey(at: file)
        let secret = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")[1]
        var shown = ""
        dump(key, to: &shown)
        #expect(!(shown + "\(key)").contains(secret))
        #expect(chmod(file.path, 0o644) == 0)
        let error = #expect(throws: SyncError.self) { try HubKey(at: file) }
        #expect(error?.code == .keys)
    }

    @Test("who is struck off while waiting learns of no further change")
    func strikingOffEndsWaiting() async throws {
        let test = try TestHub()
        let client = try test.client()
        let key = try test.key("lost")
        let lost = try test.client("lost")
        _ = try lost.items()
        let calls = Calls()
        #expect(lost.watch { calls.add() })
        await eventually("the waiting") { test.hub.requests.waiting == 1 }
        #expect(try test.admitted.strikeOff(key.pin))
        try client.write([1], named: "a.ocsync")
        await eventually("the end of the waiting") { test.hub.requests.waiting == 0 }
        #expect(throws: SyncError.self) { try lost.items() }
        #expect(calls.count == 0)
    }

    @Test("a client without a key, one of an older TLS and one of plain HTTP get nothing")
    func otherClientsGetNothing() throws {
        let test = try TestHub()
        try test.client().write([1], named: "a.ocsync")
        func curl(_ arguments: String..., scheme: String = "https") throws -> String {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                ["curl", "-sk", "-w", "%{http_code}"] + arguments + ["\(scheme)://127.0.0.1:\(test.hub.port)/group"]
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit(within: .seconds(30))
            return String(decoding: data, as: UTF8.self)
        }
        #expect(try curl() == "the key is not admitted\n403")
        #expect(try curl("--tls-max", "1.2") == "000")
        #expect(try curl(scheme: "http") == "000")
        let key = try test.key("phone").file.path
        #expect(try curl("--cert", key, "--key", key).hasSuffix("a.ocsync\nend 1\n200"))
    }

    @Test("a key is made once, for its owner alone, and a damaged one is refused")
    func keyIsMadeOnce() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a/b/key.pem")
        let key = try HubKey(at: file)
        #expect(try HubKey(at: file).pin == key.pin)
        #expect(KeyPin(key.pin.description) == key.pin)
        #expect(KeyPin(key.pin.description.uppercased()) == key.pin)
        #expect(KeyPin(key.pin.description + "00") == nil)
        #expect(KeyPin(String(key.pin.description.dropLast())) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let good = try Data(contentsOf: file)
        let other = try Data(contentsOf: HubKey(at: folder.url.appendingPathComponent("other.pem")).file)
        let certificate = try #require(other.range(of: Data("-----BEGIN CERTIFICATE".utf8)))
        let ownCertificate = try #require(good.range(of: Data("-----BEGIN CERTIFICATE".utf8)))
        for bad in [
            Data(), Data("hello".utf8), good.prefix(good.count / 2), Data(count: 100_000),
            good[..<ownCertificate.lowerBound] + other[certificate.lowerBound...],
        ] {
            try bad.write(to: file)
            #expect(throws: SyncError.self) { try HubKey(at: file) }
        }
    }

    @Test(
        "addresses that lack something are refused with what they lack",
        arguments: [
            "https://hub.example/group", "https://hub.example/group#12",
            "https://hub.example/#" + String(repeating: "a", count: 64),
            "https://hub.example/a/b#" + String(repeating: "a", count: 64), "ftp://hub.example/group", "https:///group",
            "https://user:secret@hub.example/group#" + String(repeating: "a", count: 64),
            "https://hub.example/group#" + String(repeating: "g", count: 64), "http://127.0.0.1/group#1", "",
        ])
    func wrongAddressesAreRefused(text: String) {
        #expect(throws: SyncError.self) { try HubAddress(text) }
    }
}
