import Documents
import Foundation
import TestBasics
import Testing

@Suite("Documents", .timeLimit(.minutes(2)))
struct DocumentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func url(_ name: String = "Note.txt") -> URL { folder.url.appendingPathComponent(name) }
    private func text(_ url: URL) -> String? { try? String(contentsOf: url, encoding: .utf8) }
    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []).sorted()
    }

    @Test("a document is created, edited, closed and opened again (SYNC-17)")
    func life() async throws {
        let document = NoteDocument(fileURL: url())
        #expect(document.documentState == .closed)
        #expect(document.localizedName == "Note" && document.fileType == "txt")
        document.text = "one"
        #expect(await document.save(to: url(), for: .forCreating))
        #expect(document.documentState == .normal && !document.hasUnsavedChanges)
        #expect(text(url()) == "one")
        document.text = "two"
        #expect(document.hasUnsavedChanges)
        #expect(text(url()) == "one")
        #expect(await document.close())
        #expect(document.documentState == .closed)
        #expect(text(url()) == "two")
        let again = NoteDocument(fileURL: url())
        #expect(await again.open())
        #expect(again.text == "two")
        #expect(await again.close())
        #expect(names == ["Note.txt"])
    }

    @Test("empty contents give an empty document, and what is missing or cannot be loaded is an error (SYNC-17)")
    func opening() async throws {
        try Data().write(to: url())
        let empty = NoteDocument(fileURL: url())
        #expect(await empty.open())
        #expect(empty.text.isEmpty)
        _ = await empty.close()

        let missing = NoteDocument(fileURL: url("Missing.txt"))
        #expect(await !missing.open())
        #expect((missing.lastError as? CocoaError)?.code == .fileReadNoSuchFile)
        #expect(missing.documentState == .closed)

        try Data([0xFF, 0xFE, 0xFF]).write(to: url("Broken.txt"))
        let broken = NoteDocument(fileURL: url("Broken.txt"))
        #expect(await !broken.open())
        #expect((broken.lastError as? CocoaError)?.code == .fileReadCorruptFile)
        #expect(broken.text == "unset")
    }

    @Test("completion handlers are called on the queue that is set (SYNC-17)")
    func completions() async throws {
        let document = NoteDocument(fileURL: url())
        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "completions")
        queue.setSpecific(key: key, value: "here")
        document.callbackQueue = queue
        let found = await withCheckedContinuation { waiting in
            document.save(to: url(), for: .forCreating) { isSaved in
                waiting.resume(returning: (isSaved, DispatchQueue.getSpecific(key: key)))
            }
        }
        #expect(found.0 && found.1 == "here")
    }

    @Test("a change is saved by itself within the period, one of the undo manager too (SYNC-18)")
    func autosaving() async throws {
        let document = NoteDocument(fileURL: url())
        document.autosavePeriod = 0.05
        #expect(await document.save(to: url(), for: .forCreating))
        document.text = "by itself"
        await eventually("the save") { text(url()) == "by itself" && !document.hasUnsavedChanges }

        let manager = UndoManager()
        manager.groupsByEvent = false
        document.undoManager = manager
        document.autosavePeriod = 60
        manager.beginUndoGrouping()
        register(manager, document)
        manager.endUndoGrouping()
        #expect(document.hasUnsavedChanges)
        manager.undo()
        #expect(!document.hasUnsavedChanges)
        manager.redo()
        #expect(document.hasUnsavedChanges)
        document.undoManager = nil
        _ = await document.close()
    }

    @Test("a package is saved and read as one, with folders within (SYNC-18)")
    func packages() async throws {
        let document = NoteDocument(fileURL: url("Note.pack"))
        document.isPackage = true
        document.text = "first"
        #expect(await document.save(to: url("Note.pack"), for: .forCreating))
        document.text = "second"
        #expect(await document.close())
        let again = NoteDocument(fileURL: url("Note.pack"))
        #expect(await again.open())
        #expect(again.text == "second")
        #expect(try Data(contentsOf: url("Note.pack/Pictures/a")) == Data([1, 2, 3]))
        #expect(await again.close())
        #expect(names == ["Note.pack"])
    }

    @Test(
        "a document whose process is killed while it saves is the old or the new one, never half (SYNC-18)",
        arguments: ["file", "package"])
    func kills(_ kind: String) async throws {
        let place = url(kind == "file" ? "Big.txt" : "Big.pack")
        var random = SeededRandom(seed: TestSeed.first)
        for round in 0..<12 {
            let child = try Child([kind, place.path], of: Child.url("DocumentChild"))
            #expect(child.line() == "saved")
            try await Task.sleep(for: .microseconds(Int.random(in: 0...20_000, using: &random)))
            child.kill()
            let document = NoteDocument(fileURL: place)
            _ = await document.open()
            _ = await document.close()
            let wrapper = try FileWrapper(url: place)
            let parts = wrapper.fileWrappers.map { Array($0.values) } ?? [wrapper]
            let bytes = Set(parts.flatMap { Set($0.regularFileContents ?? Data()) })
            #expect(bytes.count == 1, "round \(round)")
            #expect(parts.count == (kind == "file" ? 1 : 8))
            #expect(parts.allSatisfy { $0.regularFileContents?.count == (kind == "file" ? 1 << 20 : 1 << 14) })
        }
    }

    @Test("a save that fails is a state, and the file stays as it was (SYNC-18, SYNC-19)")
    func failingSaves() async throws {
        let document = NoteDocument(fileURL: url())
        document.text = "kept"
        #expect(await document.save(to: url(), for: .forCreating))
        document.failure = CocoaError(.fileWriteOutOfSpace)
        document.text = "lost?"
        #expect(await !document.save(to: url(), for: .forOverwriting))
        #expect(document.documentState == .savingError)
        #expect((document.lastError as? CocoaError)?.code == .fileWriteOutOfSpace)
        #expect(document.hasUnsavedChanges)
        #expect(await !document.close())
        #expect(text(url()) == "kept")
        document.failure = nil
        #expect(await document.close())
        #expect(document.documentState == .closed)
        #expect(text(url()) == "lost?")
        let nowhere = NoteDocument(fileURL: url("missing/Note.txt"))
        #expect(await !nowhere.save(to: nowhere.fileURL, for: .forCreating))
        #expect(nowhere.documentState == [.closed, .savingError])
    }

    @Test("states combine, and each change is announced once (SYNC-19)")
    func states() async throws {
        let document = NoteDocument(fileURL: url())
        let seen = Seen()
        let observer = NotificationCenter.default.addObserver(
            forName: UIDocument.stateChangedNotification, object: document, queue: nil
        ) { [weak document] _ in if let document { seen.add(document.documentState.rawValue) } }
        defer { NotificationCenter.default.removeObserver(observer) }
        #expect(await document.save(to: url(), for: .forCreating))
        document.disableEditing()
        document.disableEditing()
        document.failure = CocoaError(.fileWriteUnknown)
        document.text = "x"
        #expect(await !document.save(to: url(), for: .forOverwriting))
        #expect(document.documentState == [.editingDisabled, .savingError])
        document.failure = nil
        document.enableEditing()
        #expect(await document.close())
        #expect(seen.values == [0, 8, 12, 4, 0, 1])
    }

    @Test("two edits that did not know of each other put the document in conflict, with both versions (SYNC-19)")
    func conflicts() async throws {
        let document = NoteDocument(fileURL: url())
        document.text = "base"
        #expect(await document.save(to: url(), for: .forCreating))
        document.text = "mine"
        // What a folder that is kept in step does when another machine has saved.
        try Data("theirs".utf8).write(to: url(), options: .atomic)
        #expect(await document.save(to: url(), for: .forOverwriting))
        #expect(document.documentState == .inConflict)
        #expect(text(url()) == "mine")
        let versions = try #require(NSFileVersion.unresolvedConflictVersionsOfItem(at: url()))
        #expect(versions.count == 1)
        #expect(text(versions[0].url) == "theirs")
        #expect(versions[0].isConflict && versions[0].localizedNameOfSavingComputer != nil)
        #expect(await document.close())

        let again = NoteDocument(fileURL: url())
        #expect(await again.open())
        #expect(again.documentState == .inConflict)
        try versions[0].replaceItem(at: url())
        await eventually("the other text") { again.text == "theirs" }
        versions[0].isResolved = true
        await eventually("the end of the conflict") { again.documentState == .normal }
        try NSFileVersion.removeOtherVersionsOfItem(at: url())
        #expect(NSFileVersion.otherVersionsOfItem(at: url())?.isEmpty == true)
        _ = await again.close()
        #expect(names == ["Note.txt"])
    }

    @Test("a document without unsaved changes is read again when others save (SYNC-19)")
    func changesOfOthers() async throws {
        let document = NoteDocument(fileURL: url())
        #expect(await document.save(to: url(), for: .forCreating))
        try Data("theirs".utf8).write(to: url(), options: .atomic)
        await eventually("the text") { document.text == "theirs" }
        #expect(document.documentState == .normal)
        #expect(NSFileVersion.otherVersionsOfItem(at: url())?.isEmpty == true)
        document.text = "mine"
        let reverted = await withCheckedContinuation { waiting in
            document.revert(toContentsOf: url()) { waiting.resume(returning: $0) }
        }
        #expect(reverted && document.text == "theirs" && !document.hasUnsavedChanges)
        _ = await document.close()
    }

    /// Registers an action that, undone, registers itself for redoing.
    private func register(_ manager: UndoManager, _ document: NoteDocument) {
        manager.registerUndo(withTarget: document) { register(manager, $0) }
    }

    /// The states that were announced.
    private final class Seen: @unchecked Sendable {
        private let lock = NSLock()
        private var states: [UInt] = []
        var values: [UInt] { lock.withLock { states } }
        func add(_ state: UInt) { lock.withLock { states.append(state) } }
    }
}
