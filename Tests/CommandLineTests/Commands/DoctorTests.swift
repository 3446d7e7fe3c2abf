import CoreData
import CoreDataTracing
import Testing

@Suite struct DoctorTests {
    private func items(_ environment: [String: String], home: URL) -> [String: MachineCheck.Item] {
        let items = MachineCheck(environment: environment, home: home).items
        return Dictionary(items.map { ($0.name, $0) }) { first, _ in first }
    }

    @Test("doctor says what is there, and exits with 0 where nothing is wrong") func doctorSays() throws {
        let home = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: home) }
        let shown = try Tool.run("doctor", environment: ["HOME": home.path, "LANG": "C.UTF-8"])
        #expect(shown.code == 0 && shown.errors.isEmpty && shown.output.contains("ok       SQLite: version 3."))
        let json: [[String: Any]] = try Tool.run("doctor", "--format", "json").json()
        #expect(json.allSatisfy { ($0["cure"] is NSNull) == ($0["state"] as? String == "good") } && json.count > 9)
    }

    @Test("What is missing comes with what it is for and how it is had")
    func whatIsMissingComesWithWhatItIsForAndHowItIsHad() throws {
        let home = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: home) }
        let bare = items(["PATH": home.path, "LANG": "C"], home: home)
        #expect(bare["dot"]?.state == .missing && bare["dot"]?.cure?.contains("graphviz") == true)
        #expect(bare["terminal"]?.state == .missing && bare["certificate"]?.state == .missing)
        try Data().write(to: home.appendingPathComponent("dot"))
        #expect(items(["PATH": home.path], home: home)["dot"]?.state == .missing, "it is no program")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: home.appendingPathComponent("dot").path)
        #expect(items(["PATH": "relative:" + home.path], home: home)["dot"]?.state == .good)
    }

    @Test("What keeps stores from being used is wrong, and exits with 1") func whatKeepsStoresFromBeingUsedIsWrong()
        throws
    {
        let home = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: home) }
        let passwords = home.appendingPathComponent(".pgpass")
        try Data("*:*:*:*:secret".utf8).write(to: passwords)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: passwords.path)
        let readable = items([:], home: home)["passwords"]
        #expect(readable?.state == .wrong && readable?.cure == "'chmod 600 \(passwords.path)'")
        let shown = try Tool.run("doctor", environment: ["PGPASSFILE": passwords.path])
        #expect(shown.code == 1 && shown.output.contains("wrong    passwords: ") && !shown.output.contains("secret"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passwords.path)
        #expect(items([:], home: home)["passwords"]?.state == .good)
        let nowhere = items(["TMPDIR": home.appendingPathComponent("none").path], home: home)
        #expect(nowhere["temporary folder"]?.state == .wrong)
    }
}
