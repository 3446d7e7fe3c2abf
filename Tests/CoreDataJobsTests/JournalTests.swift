import CoreDataJobs
import Foundation
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(3))) struct JournalTests {
    private let folder: TemporaryFolder
    private let journal: JobJournal

    init() throws {
        folder = try TemporaryFolder()
        journal = try JobJournal(folder: folder.url.appendingPathComponent("jobs"))
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: journal.folder.path).sorted() }
    }

    private func child(_ arguments: String...) throws -> Child { try Child(arguments, of: Child.url("JobChild")) }

    @Test("a job that runs is noted, and no more when it has ended", arguments: ["finished", "failed", "cancelled"])
    func removedAtTheEnd(end: String) async throws {
        let entry = try journal.begin(kind: "import", title: "Import people", parameters: ["file": "people.csv"])
        let gate = Gate()
        let job = Job(entry.record.title, total: 10, entry: entry) { handle in
            gate.pass()
            if end == "failed" { throw Refusal() }
            try handle.checkCancellation()
        }
        #expect(job.id == entry.record.id)
        try JobQueue().add(job)
        #expect(try journal.unfinished().inUse == [job.id] && journal.unfinished().records.isEmpty)
        await eventually("the work") { gate.arrivalCount == 1 }
        if end == "cancelled" { job.cancel() }
        gate.open()
        try? await job.waitForCompletion()
        #expect(job.state.rawValue == end)
        #expect(try files.isEmpty)
    }

    @Test("a job of a process that was killed is offered again, with its checkpoint and counts (CONC-06)")
    func killedProcess() async throws {
        let child = try child("count", journal.folder.path)
        let id = try #require(child.line().flatMap { UUID(uuidString: $0) })
        while let line = child.line(), line != "50" {}
        #expect(try journal.unfinished().inUse == [id])
        #expect { try journal.claim(id) } throws: { ($0 as? JobError)?.code == .recordInUse }
        child.kill()
        let listing = try journal.unfinished()
        #expect(listing.inUse.isEmpty && listing.problems.isEmpty && listing.records.count == 1)
        let record = try #require(listing.records.first)
        #expect(
            record.id == id && record.kind == "count" && record.title == "Count" && record.parameters == ["step": "1"])
        let checkpoint = try #require(record.checkpoint.flatMap { Int64(String(decoding: $0, as: UTF8.self)) })
        #expect(checkpoint >= 50 && checkpoint % 10 == 0 && record.completedUnitCount == checkpoint)
        #expect(record.totalUnitCount == 1_000_000)

        let entry = try journal.claim(id)
        let seen = Log<String>()
        let job = Job(entry.record.title, total: 5, entry: entry) { handle in
            seen.append(handle.checkpoint.map { String(decoding: $0, as: UTF8.self) } ?? "none")
        }
        #expect(job.snapshot.completedUnitCount == checkpoint && job.snapshot.totalUnitCount == 1_000_000)
        try job.runInPlace()
        #expect(seen.all == ["\(checkpoint)"])
        #expect(try files.isEmpty)
    }

    @Test("two processes do not both resume one job")
    func twoProcesses() throws {
        let entry = try journal.begin(kind: "sync", title: "Sync")
        let path = entry.record.id.uuidString
        let early = try child("claim", journal.folder.path, path)
        #expect(early.line() == "recordInUse")
        withExtendedLifetime(entry) {}
    }

    @Test("of many processes and threads that claim a job at once one has it")
    func race() async throws {
        for _ in 0..<5 {
            var entry: JournalEntry? = try journal.begin(kind: "sync", title: "Sync")
            let id = try #require(entry?.record.id)
            entry = nil
            #expect(try journal.unfinished().records.map(\.id) == [id])
            let children = try (0..<4).map { _ in try child("claim", journal.folder.path, id.uuidString) }
            let entries = Log<JournalEntry>()
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                if let entry = try? journal.claim(id) { entries.append(entry) }
                _ = try? journal.unfinished()
            }
            let words = children.map { $0.line() }
            #expect(entries.all.count + words.count { $0 == "claimed" } == 1, "\(words)")
            for child in children { child.kill() }
            (entries.all.first ?? (try? journal.claim(id)))?.remove()
            #expect(throws: JobError.self) { try journal.claim(id) }
            #expect(try files.isEmpty)
        }
    }

    @Test("a job that ended between the list and the claim is not claimed")
    func endedMeanwhile() throws {
        let id = try journal.begin(kind: "sync", title: "Sync").record.id
        try #require(try journal.unfinished().records.first?.id == id)
        #expect(try child("race", journal.folder.path, id.uuidString).lines() == ["claimed"])
        #expect { try journal.claim(id) } throws: { ($0 as? JobError)?.code == .noRecord }
        #expect(try files.isEmpty)
    }

    @Test("damaged files are passed over with a report, and the others are offered")
    func damaged() throws {
        let good = try journal.begin(kind: "import", title: "Import").record.id
        let whole = try Data(contentsOf: journal.folder.appendingPathComponent("\(good).plist"))
        let text = String(decoding: whole, as: UTF8.self)
        let deep = "<?xml version=\"1.0\"?><plist>" + String(repeating: "<array>", count: 100_000)
        let files: [(String, Data)] = [
            ("empty", Data()), ("half", whole.prefix(whole.count / 2)), ("another's", whole), ("deep", Data(deep.utf8)),
            ("binary", Data("bplist00".utf8) + Data(count: 64)), ("large", Data(count: 2 << 20)),
            ("newer", Data(text.replacing("<integer>1</integer>", with: "<integer>99</integer>").utf8)),
            ("not a dictionary", Data("<?xml version=\"1.0\"?><plist><string>a</string></plist>".utf8)),
        ]
        for (_, data) in files {
            try data.write(to: journal.folder.appendingPathComponent("\(UUID()).plist"))
        }
        try whole.write(to: journal.folder.appendingPathComponent("name.plist"))
        try FileManager.default.createDirectory(
            at: journal.folder.appendingPathComponent("\(UUID()).plist"), withIntermediateDirectories: true)
        symlink("/etc/passwd", journal.folder.appendingPathComponent("\(UUID()).plist").path)
        let listing = try journal.unfinished()
        #expect(listing.records.map(\.id) == [good])
        #expect(listing.problems.count == files.count + 3)
        #expect(listing.problems.allSatisfy { !$0.reason.isEmpty && $0.description.hasPrefix(journal.folder.path) })
        for problem in listing.problems {
            guard let id = UUID(uuidString: problem.file.deletingPathExtension().lastPathComponent) else { continue }
            #expect(throws: JobError.self) { try journal.claim(id) }
        }
    }

    @Test("a record with random damage is refused or read, and stops nothing")
    func randomDamage() throws {
        let id = try journal.begin(kind: "import", title: "Import", parameters: ["a": "b"]).record.id
        let file = journal.folder.appendingPathComponent("\(id).plist")
        let whole = try Data(contentsOf: file)
        var random = SeededRandom(seed: TestSeed.first)
        for _ in 0..<300 {
            var data = whole
            for _ in 0..<4 { data[random.next(below: data.count)] = UInt8(random.next(below: 256)) }
            try data.prefix(random.next(below: 4) == 0 ? random.next(below: data.count) : data.count).write(to: file)
            let listing = try journal.unfinished()
            #expect(listing.records.count + listing.problems.count == 1)
        }
    }

    @Test("a checkpoint that is too large is refused, and the one before it stays")
    func largeCheckpoint() throws {
        let entry = try journal.begin(kind: "import", title: "Import")
        let id = entry.record.id
        let job = Job("Import", entry: entry) { handle in
            try handle.saveCheckpoint(Data("first".utf8))
            #expect { try handle.saveCheckpoint(Data(count: 2 << 20)) } throws: {
                ($0 as? JobError)?.code == .recordTooLarge
            }
            #expect(handle.checkpoint == Data("first".utf8))
            let file = journal.folder.appendingPathComponent("\(id).plist")
            let record = try PropertyListDecoder().decode(JobRecord.self, from: Data(contentsOf: file))
            #expect(record.checkpoint == Data("first".utf8))
        }
        try job.runInPlace()
    }

    @Test("the files of a journal are for its owner alone")
    func permissions() throws {
        let entry = try journal.begin(kind: "import", title: "Import")
        for (path, mode) in [("", 0o700), ("/\(entry.record.id).plist", 0o600), ("/\(entry.record.id).lock", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: journal.folder.path + path)
            #expect(attributes[.posixPermissions] as? NSNumber == NSNumber(value: mode))
        }
    }
}
