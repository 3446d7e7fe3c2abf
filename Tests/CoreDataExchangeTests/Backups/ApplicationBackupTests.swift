import CoreData
import CoreDataExchange
import SQLiteKit
import StoreContract
import Synchronization
import TestBasics
import Testing

@Suite struct ApplicationBackupTests {
    private let scratch: TemporaryFolder
    private var folder: URL { scratch.url.appendingPathComponent("App") }
    private var backup: URL { scratch.url.appendingPathComponent("Backup") }
    private var restored: URL { scratch.url.appendingPathComponent("Restored") }

    init() throws {
        scratch = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private static let model: NSManagedObjectModel = {
        let builder = ModelBuilder()
        builder.entity("Photo", ["title": .stringAttributeType, "data": .binaryDataAttributeType])
        builder.attribute("Photo.data").allowsExternalBinaryDataStorage = true
        return builder.model
    }()

    @discardableResult
    private func write(_ text: String, _ path: String, in root: URL? = nil) throws -> URL {
        let url = (root ?? folder).appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        return url
    }

    private func photos(_ store: URL) throws -> [String: Int] {
        let stack = try Stack(Self.model, url: store)
        return try stack.context.all("Photo").reduce(into: [:]) { sizes, photo in
            sizes[photo.value(forKey: "title") as? String ?? ""] = (photo.value(forKey: "data") as? Data)?.count
        }
    }

    @Test("a folder that is nested too deeply is refused with its place, and no backup is left (STO-31)")
    func deepFoldersAreRefused() throws {
        try write("deep", Array(repeating: "d", count: 220).joined(separator: "/") + "/file")
        #expect {
            try ApplicationBackup.make(of: folder, to: backup)
        } throws: {
            ($0 as? BackupError)?.code == .unreadable && "\($0)".contains("lies deeper than 200 folders")
        }
        #expect(!FileManager.default.fileExists(atPath: backup.path))
    }

    @Test("a store in use is restored equal, with its log and its large values, and other files beside it (STO-31)")
    func storeInUseIsRestoredEqual() throws {
        let stack = try Stack(Self.model, url: folder.appendingPathComponent("Photos.sqlite"))
        for number in 0..<20 {
            stack.context.insert(
                "Photo", ["title": "P\(number)", "data": Data(repeating: UInt8(number), count: 150_000 + number)])
        }
        try stack.context.save()
        try write("settings", "Settings/app.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("current").path, withDestinationPath: "Settings")
        // Unsaved changes are not part of the store.
        stack.context.insert("Photo", ["title": "unsaved"])
        let summary = try ApplicationBackup.make(of: folder, to: backup)
        #expect(summary.databases == 1 && summary.files == 22 && summary.warnings == [] && summary.omitted == [])
        // The program goes on, and its store is not locked.
        try stack.context.save()
        #expect(try ApplicationBackup.verify(backup).files == 22)
        #expect(try ApplicationBackup.restore(backup, to: restored).databases == 1)
        let expected = Dictionary(uniqueKeysWithValues: (0..<20).map { ("P\($0)", 150_000 + $0) })
        #expect(try photos(restored.appendingPathComponent("Photos.sqlite")) == expected)
        #expect(
            try String(contentsOf: restored.appendingPathComponent("current/app.json"), encoding: .utf8) == "settings")
    }

    @Test("the flag is readable again; what has it, caches and tmp are left out (STO-31)")
    func excludedFilesAreLeftOut() throws {
        let marked = try write("again", "thumbnails.bin")
        try write("kept", "kept.txt")
        for name in ["Caches/a", "tmp/b", "Library/Caches/c", ".build/d", "Index/e"] { try write("x", name) }
        try write("Signature: 8a477f597d28d172789f06886806bc55\n", "Index/CACHEDIR.TAG")
        #expect(!BackupExclusion.isSet(at: marked))
        try BackupExclusion.set(true, at: marked)
        #expect(BackupExclusion.isSet(at: marked))
        let summary = try ApplicationBackup.make(of: folder, to: backup)
        #expect(
            summary.omitted == [
                ".build: cache", "Caches: cache", "Index: cache", "Library/Caches: cache", "thumbnails.bin: excluded",
                "tmp: cache",
            ])
        try ApplicationBackup.restore(backup, to: restored)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: restored.path).sorted() == ["Library", "kept.txt"])
        try BackupExclusion.set(false, at: marked)
        try BackupExclusion.set(false, at: marked)
        #expect(!BackupExclusion.isSet(at: marked))
        #expect(throws: BackupError.self) { try BackupExclusion.set(true, at: folder.appendingPathComponent("none")) }
    }

    @Test("backups while another thread saves have whole transactions, with all their large values (STO-31)")
    func backupsWhileOthersSaveAreConsistent() async throws {
        let url = folder.appendingPathComponent("Photos.sqlite")
        let stack = try Stack(Self.model, url: url)
        for half in ["a", "b"] {
            stack.context.insert("Photo", ["title": half, "data": Data(repeating: 0, count: 200_000)])
        }
        try stack.context.save()
        let writer = try Stack(Self.model, url: url)
        let rounds = Rounds()
        let writing = writer.context
        let thread = Thread {
            while let size = rounds.next(from: 200_000) {
                try? writing.performAndWait {
                    // Both rows change in one transaction: they always have the same size.
                    for photo in try writing.all("Photo") {
                        photo.setValue(Data(repeating: UInt8(truncatingIfNeeded: size), count: size), forKey: "data")
                    }
                    try writing.save()
                }
            }
        }
        thread.start()
        defer { rounds.end() }
        await eventually("the writer saves") { rounds.count > 2 }
        let before = rounds.count
        for number in 0..<8 {
            let (copy, place) = (
                scratch.url.appendingPathComponent("Copy\(number)"),
                scratch.url.appendingPathComponent("Place\(number)")
            )
            #expect(try ApplicationBackup.make(of: folder, to: copy).warnings == [])
            try ApplicationBackup.restore(copy, to: place)
            let sizes = try photos(place.appendingPathComponent("Photos.sqlite"))
            #expect(sizes.count == 2 && sizes["a"] == sizes["b"] && (sizes["a"] ?? 0) >= 200_000, "\(sizes)")
        }
        withExtendedLifetime(writer) { #expect(rounds.count > before) }
    }

    /// The rounds of a writer on another thread.
    private final class Rounds: Sendable {
        private let state = Mutex((count: 0, isEnded: false))

        var count: Int { state.withLock { $0.count } }

        func next(from base: Int) -> Int? {
            state.withLock { state in
                guard !state.isEnded else { return nil }
                state.count += 1
                return base + state.count
            }
        }

        func end() { state.withLock { $0.isEnded = true } }
    }

    @Test("other databases and stores of XML are copied too (STO-31)")
    func otherDatabasesAreCopied() throws {
        let connection = try Connection.open(folder.appendingPathComponent("cache.db").path, OpenOptions(mode: .create))
        try connection.execute("CREATE TABLE T (a)")
        try connection.execute("INSERT INTO T VALUES (7)")
        let stack = try Stack(Self.model, url: folder.appendingPathComponent("Photos.xml"), kind: .xml)
        stack.context.insert("Photo", ["title": "one"])
        try stack.context.save()
        #expect(try ApplicationBackup.make(of: folder, to: backup).databases == 1)
        try ApplicationBackup.restore(backup, to: restored)
        let copy = try Connection.open(restored.appendingPathComponent("cache.db").path, OpenOptions(mode: .readOnly))
        let statement = try copy.prepare("SELECT CAST(a AS TEXT) FROM T")
        #expect(try statement.step() && statement.text(0) == "7")
        let other = try Stack(Self.model, url: restored.appendingPathComponent("Photos.xml"), kind: .xml)
        #expect(try other.context.all("Photo").count == 1)
    }

    @Test(
        "STO-31: changed, missing and cut files are found, and are not restored",
        arguments: ["change", "remove", "cut"])
    func damagedBackupsAreRefused(_ damage: String) throws {
        let stack = try Stack(Self.model, url: folder.appendingPathComponent("Photos.sqlite"))
        stack.context.insert("Photo", ["title": "one"])
        try stack.context.save()
        try write("some text", "a.txt")
        try ApplicationBackup.make(of: folder, to: backup)
        let file = backup.appendingPathComponent("Files/a.txt")
        switch damage {
        case "change": try Data("Some text".utf8).write(to: file)
        case "remove": try FileManager.default.removeItem(at: file)
        default: try Data("some".utf8).write(to: file)
        }
        let error = #expect(throws: BackupError.self) { try ApplicationBackup.verify(backup) }
        #expect(error?.code == .damaged && error?.reason.contains("a.txt") == true, "\(error?.reason ?? "")")
        #expect(throws: BackupError.self) { try ApplicationBackup.restore(backup, to: restored) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted() == ["App", "Backup"])
    }

    @Test(
        "STO-31: lists that lead out of the backup, of later versions and no lists are refused",
        arguments: [
            #"{"version":1,"made":"2026-01-01T00:00:00Z","entries":[{"path":"../evil","kind":"file","size":0,"mode":420}]}"#,
            #"{"version":1,"made":"2026-01-01T00:00:00Z","entries":[{"path":"/etc/x","kind":"file","size":0,"mode":420}]}"#,
            #"{"version":1,"made":"2026-01-01T00:00:00Z","entries":[{"path":"l","kind":"link","size":0,"mode":420,"target":"/tmp"},{"path":"l/x","kind":"file","size":0,"mode":420}]}"#,
            #"{"version":2,"made":"2026-01-01T00:00:00Z","entries":[]}"#, "[]", "",
        ])
    func hostileListsAreRefused(_ list: String) throws {
        try write(list, "Backup.json", in: backup)
        let error = #expect(throws: BackupError.self) { try ApplicationBackup.restore(backup, to: restored) }
        #expect(error?.code == .noBackup)
        #expect(!FileManager.default.fileExists(atPath: restored.path))
    }

    @Test("places that exist, lie within the folder or are missing are refused (STO-31)")
    func wrongPlacesAreRefused() throws {
        try write("x", "a.txt")
        #expect(throws: BackupError.self) { try ApplicationBackup.make(of: folder, to: folder) }
        let inside = #expect(throws: BackupError.self) {
            try ApplicationBackup.make(of: folder, to: folder.appendingPathComponent("Backup"))
        }
        #expect(inside?.code == .unwritable)
        #expect(throws: BackupError.self) { try ApplicationBackup.make(of: restored, to: backup) }
        #expect(throws: BackupError.self) { try ApplicationBackup.verify(folder) }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == ["a.txt"])
    }
}
