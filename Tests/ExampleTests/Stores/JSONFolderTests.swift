import CoreData
import StoreContract
import Testing

@testable import JSONFolderSample

/// A store of JSON files: what the contract asks, and what people do with the files.
@Suite(.timeLimit(.minutes(20))) struct JSONFolderTests {
    private static let kind: StoreKind = {
        JSONFolderStore.register()
        return StoreKind(type: JSONFolderStore.storeType, capabilities: [.durable, .exactDecimals, .namesRecords])
    }()

    @Test("a folder of files keeps the contract (STO-05, STO-07)", arguments: StoreContract.checks(for: kind))
    func folderOfFilesKeepsContract(check: StoreContract.Check) throws { try check.run() }

    private static func stack() throws -> Stack { try Stack(NoteModel.make(), kind: kind) }

    /// The files of an entity.
    private static func files(_ stack: Stack, _ entity: String = "Note") throws -> [URL] {
        let folder = stack.url.appendingPathComponent(entity)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            folder.appendingPathComponent($0)
        }
    }

    @Test("a file is named and written so that people can read it and git shows what changed (STO-05)")
    func readableFiles() throws {
        let stack = try Self.stack()
        let tag = stack.context.insert("Tag", ["name": "City"])
        let note = stack.context.insert("Note", ["title": "Rome, the eternal", "text": "a/b"])
        note.setValue(NSSet(array: [tag]), forKey: "tags")
        try stack.context.save()
        let file = try #require(try Self.files(stack).first)
        #expect(file.lastPathComponent.hasPrefix("rome-the-eternal-") && file.pathExtension == "json")
        let tagFile = try #require(try Self.files(stack, "Tag").first).deletingPathExtension().lastPathComponent
        let text = try String(contentsOf: file, encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.contains("\"Tag/\(tagFile)\"") && text.hasSuffix("}\n") && text.contains("a/b"))
        let keys = lines.filter { $0.hasPrefix("\"t") }.map { $0.split(separator: "\"")[0] }
        #expect(keys == ["tags", "text", "title"])
        note.setValue("changed", forKey: "text")
        try stack.context.save()
        let after = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let changed = zip(text.split(separator: "\n"), after).filter { $0 != $1 }
        #expect(changed.count == 1 && after.count == text.split(separator: "\n").count)
    }

    @Test("a file edited by hand is read at the next look, and unsaved changes stay (STO-05)")
    func handEdits() throws {
        let stack = try Self.stack()
        let note = stack.context.insert("Note", ["title": "Rome", "text": "old"])
        try stack.context.save()
        let store = try #require(stack.store as? JSONFolderStore)
        let watch = FolderWatch(store, contexts: [stack.context])
        #expect(watch.look().isEmpty)
        let file = try #require(try Self.files(stack).first)
        try Data(#"{"title": "Rome", "text": "by hand"}"#.utf8).write(to: file)
        try Data(#"{"title": "Bern"}"#.utf8).write(
            to: file.deletingLastPathComponent().appendingPathComponent("bern.json"))
        #expect(watch.look().count == 2)
        #expect(note.value(forKey: "text") as? String == "by hand")
        #expect(try stack.context.all("Note").count == 2)
        try FileManager.default.removeItem(at: file)
        #expect(watch.look().count == 1 && watch.look().isEmpty)
        #expect(try stack.context.all("Note").map { $0.value(forKey: "title") as? String } == ["Bern"])
    }

    @Test("a file changed by hand since it was read is a conflict, which a policy resolves (STO-05, CTX-21)")
    func conflictingEdits() throws {
        let stack = try Self.stack()
        let note = stack.context.insert("Note", ["title": "Rome", "text": "old"])
        try stack.context.save()
        let file = try #require(try Self.files(stack).first)
        try Data(#"{"title": "Roma", "text": "old"}"#.utf8).write(to: file)
        note.setValue("mine", forKey: "text")
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        #expect(try String(contentsOf: file, encoding: .utf8).contains("Roma"))
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.context.save()
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("Roma") && text.contains("mine"))
    }

    @Test(
        "a malformed file is named, and the others can be used (STO-05)",
        arguments: ["{", "[]", "", #"{"title": 5}"#, "\u{0}", #"{"title": {"a": 1}}"#])
    func malformedFiles(text: String) throws {
        let stack = try Self.stack()
        stack.context.insert("Note", ["title": "Rome"])
        try stack.context.save()
        let folder = try #require(try Self.files(stack).first).deletingLastPathComponent()
        try Data(text.utf8).write(to: folder.appendingPathComponent("broken.json"))
        #expect(try stack.context.all("Note").count == 1)
        let store = try #require(stack.store as? JSONFolderStore)
        #expect(store.problems["Note/broken"]?.contains("broken.json") == true)
        let identifier = try #require(store.identifier(named: "Note/broken"))
        let error = #expect(throws: NSError.self) { try stack.context.existingObject(with: identifier) }
        #expect(error?.localizedDescription.contains("broken.json") == true)
    }

    @Test(
        "a name that leads out of the folder is not a record (STO-05)",
        arguments: ["Note/../../x", "Note/.x", "../x", "Note/"])
    func strangeNames(name: String) throws {
        let stack = try Self.stack()
        let folder = RecordFolder(url: stack.url)
        #expect(throws: JSONProblem.self) { try folder.place(name) }
    }
}
