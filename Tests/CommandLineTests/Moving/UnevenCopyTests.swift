import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import TestServers
import Testing

/// Copies of stores whose tables say what a file of records cannot: links of one side alone, and files that are gone.
@Suite struct UnevenCopyTests {
    private let folder: TemporaryFolder
    private let store: URL
    private let model: URL

    init() throws {
        folder = try TemporaryFolder()
        store = folder.url.appendingPathComponent("Notes.sqlite")
        model = folder.url.appendingPathComponent("Notes.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(Self.source.utf8).write(to: model.appendingPathComponent("contents"))
        let stack = try Stack(NSManagedObjectModel(source: Data(Self.source.utf8)), url: store)
        for number in 1...3 {
            let note = stack.context.insert("Note", ["title": "n\(number)"])
            let bytes = Data(repeating: UInt8(number), count: number == 3 ? 10 : 200_000)
            stack.context.insert("Body", ["note": note, "bytes": bytes])
            try stack.context.save()
        }
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
    }

    /// What Apple's framework leaves in some stores: the body leads to its note, the note to no body.
    private func leaveOneSide() throws {
        try Database.change(store, "UPDATE ZNOTE SET ZBODY = NULL WHERE Z_PK = 2")
    }

    private func run(_ words: String...) throws -> Tool.Outcome { try Tool.run(words + ["--model", model.path]) }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    @Test(
        "a link of one side is refused in a copy to a file of records, which is whole or not there (STO-06)",
        arguments: ["xml", "binary"])
    func oneSided(kind: String) throws {
        try leaveOneSide()
        let before = try names
        let copy = folder.url.appendingPathComponent("Copy.\(kind)").path
        let refused = try run("copy", store.path, copy)
        #expect(refused.code == 1 && refused.errors.contains("cannot hold 1 value of"), "\(refused.errors)")
        // The object is named by its key in the store, where the copy has others.
        #expect(refused.errors.contains("--lossy") && refused.errors.contains("Body/p2 note"), "\(refused.errors)")
        #expect(try names.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") } == before)

        let made = try run("copy", store.path, copy, "--lossy")
        #expect(made.code == 0 && made.errors.contains("does not lead back"), "\(made.errors)")
        let found = try run("fetch", copy, "Note", "--where", "title == 'n2' AND body.bytes != nil", "--count")
        #expect(found.output.contains("1"), "\(found.output)\(found.errors)")
        let sound = try run("check", copy)
        #expect(sound.code == 0, "\(sound.output)\(sound.errors)")
    }

    @Test(
        "a required attribute or relationship without a value is copied with --lossy, and the object is named (STO-06)",
        arguments: ["xml", "binary"])
    func requiredWithoutValue(kind: String) throws {
        let stack = try Stack(NSManagedObjectModel(source: Data(Self.source.utf8)), url: store)
        let note = try #require(try stack.context.all("Note").first)
        for label in ["a", "b"] { stack.context.insert("Tag", ["label": label, "note": note]) }
        try stack.context.save()
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        try Database.change(
            store, "UPDATE ZTAG SET ZLABEL = NULL WHERE Z_PK = 1", "UPDATE ZTAG SET ZNOTE = NULL WHERE Z_PK = 2")
        let copy = folder.url.appendingPathComponent("Copy.\(kind)").path
        let refused = try run("copy", store.path, copy)
        #expect(refused.code == 1 && refused.errors.contains("cannot hold 2 values of"), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: copy))
        let made = try run("copy", store.path, copy, "--lossy")
        #expect(made.code == 0, "\(made.errors)")
        #expect(made.errors.contains("Tag/p1 label: 'label' is required and has no value"), "\(made.errors)")
        #expect(made.errors.contains("Tag/p2 note: 'note' is required and has no value"), "\(made.errors)")
        let found = try run("fetch", copy, "Tag", "--where", "label == nil OR note == nil", "--count")
        #expect(found.output.contains("2"), "\(found.output)\(found.errors)")
    }

    @Test("the library's own copy of such a store leaves nothing behind (STO-06)")
    func librarysOwnCopyOfSuchStoreLeavesNothingBehind() throws {
        try leaveOneSide()
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(source: Data(Self.source.utf8)))
        let original = try coordinator.addPersistentStore(type: .sqlite, at: store)
        let copy = folder.url.appendingPathComponent("Copy.xml")
        #expect(throws: NSError.self) { try coordinator.migratePersistentStore(original, to: copy, type: .xml) }
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        #expect(coordinator.persistentStores.first === original)
    }

    @Test("a link of one side is a remark in a store that Apple's framework made, and not repaired there (TOOL-13)")
    func linkOfOneSideIsRemarkInStoreThatApplesFrameworkMade() throws {
        try leaveOneSide()
        let own = try run("check", store.path)
        #expect(own.code == 1 && own.output.contains("one-sided"), "\(own.output)")
        try Self.markAsApples(store)
        let apples = try run("check", store.path)
        #expect(apples.code == 0 && apples.output.contains("remark: Body.note: 1 times"), "\(apples.output)")
        #expect(try run("check", store.path, "--repair").code == 0)
        #expect(try Database.text(store, "SELECT count(*) FROM ZNOTE WHERE ZBODY IS NULL") == "1")
    }

    @Test(
        "a store whose large values are gone is copied without them, and the objects are named (STO-06)",
        arguments: TransferTests.kinds)
    func missingFiles(kind: String) throws {
        let files = folder.url.appendingPathComponent(".Notes_SUPPORT")
        try FileManager.default.removeItem(at: files)
        let place =
            kind == "postgresql"
            ? try PostgresServer.shared.get().makeURL("gone").absoluteString
            : folder.url.appendingPathComponent("Copy.\(kind)").path
        // A copy of the same kind has the same rows, as they are.
        if kind != "sqlite" {
            let refused = try run("copy", store.path, place)
            #expect(refused.code == 1 && refused.errors.contains("cannot hold 2 values"), "\(refused.errors)")
            #expect(refused.errors.contains("Body/p1 bytes: ") && refused.errors.contains("Body/p2 bytes: "))
        }
        let made = try run("copy", store.path, place, "--lossy")
        #expect(made.code == 0, "\(made.errors)")
        #expect(kind == "sqlite" || made.errors.contains("Body/p2 bytes: "), "\(made.errors)")
        let left = try run("fetch", place, "Note", "--where", "body.bytes != nil", "--count")
        #expect(left.output.contains(kind == "sqlite" ? "3" : "1"), "\(left.output)\(left.errors)")
    }

    /// Gives the store the number of a version of Apple's framework.
    private static func markAsApples(_ url: URL) throws {
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        guard case .blob(let bytes)? = try connection.value("SELECT Z_PLIST FROM Z_METADATA") else { return }
        let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        var metadata = try #require(list as? [String: Any])
        metadata["NSPersistenceFrameworkVersion"] = 1251
        let data = try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
        try connection.execute("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(Array(data))])
    }

    private static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Body" representedClassName="Body" syncable="YES">
        <attribute name="bytes" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <relationship name="note" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Note" inverseName="body" inverseEntity="Note"/>
        </entity>
        <entity name="Note" representedClassName="Note" syncable="YES">
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="body" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Body" inverseName="note" inverseEntity="Body"/>
        <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" inverseName="note" inverseEntity="Tag"/>
        </entity>
        <entity name="Tag" representedClassName="Tag" syncable="YES">
        <attribute name="label" attributeType="String"/>
        <relationship name="note" maxCount="1" deletionRule="Nullify" destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
        </entity>
        </model>
        """
}
