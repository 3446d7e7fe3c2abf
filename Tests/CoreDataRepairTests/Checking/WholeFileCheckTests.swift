import CoreData
import CoreDataRepair
import CoreDataWorkbench
import StoreContract
import TestBasics
import Testing

@testable import CoreDataRecordStores

/// Checking and repairing XML and binary stores.
@Suite("Checking stores of one file", .timeLimit(.minutes(10)))
struct WholeFileCheckTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("People.store") }
    private var model: URL { folder.url.appendingPathComponent("People.xcdatamodel") }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(CheckScene.source.utf8).write(to: model.appendingPathComponent("contents"))
    }

    private func make(_ kind: StoreKind) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try CheckScene.model())
        let store = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try CheckScene.fill(context) }
        try coordinator.remove(store)
    }

    private func edit(_ edits: [(String, String)]) throws {
        var text = try String(contentsOf: url, encoding: .utf8)
        for (pattern, replacement) in edits {
            let changed = text.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
            try #require(changed != text, "\(pattern) is not in the file")
            text = changed
        }
        try Data(text.utf8).write(to: url)
    }

    private func check() throws -> StoreCheckReport { try StoreCheck(url, model: model).run() }

    @Test("a sound store is sound, and stays as it is (HAZ-49, HAZ-50, TOOL-16)", arguments: StoreKind.wholeFiles)
    func soundStores(kind: StoreKind) throws {
        try make(kind)
        let bytes = try Data(contentsOf: url)
        let report = try check()
        #expect(report.isSound && report.remarks == [], "\(report.findings.listed)")
        let blind = try StoreCheck(url).run()
        #expect(blind.isSound && blind.remarks.count == 1)
        let after = try Data(contentsOf: url)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(after == bytes && names.count == 2)
    }

    /// A change of an XML store, and what a check has to say of it.
    struct Damage: CustomTestStringConvertible, Sendable {
        let name: String
        let edits: [(String, String)]
        let kind: StoreFinding.Kind
        var isRepairable = true
        var testDescription: String { name }
    }

    private static let person = "(<object type=\"PERSON\" id=\"z1\">)"

    static let damages = [
        Damage(
            name: "unknown entity", edits: [("<object type=\"GROUP\"", "<object type=\"CLUB\"")], kind: .unknownEntity),
        Damage(
            name: "unknown attribute", edits: [(person, "$1<attribute name=\"size\" type=\"int16\">1</attribute>")],
            kind: .unknownProperty),
        Damage(
            name: "attribute for relationship",
            edits: [(person, "$1<attribute name=\"friends\" type=\"int16\">1</attribute>")], kind: .unknownProperty),
        Damage(
            name: "value twice", edits: [("(<attribute name=\"code\" type=\"string\">c0</attribute>)", "$1$1")],
            kind: .doubledValue),
        Damage(
            name: "wrong type",
            edits: [("name=\"weight\" type=\"double\">[^<]*<", "name=\"weight\" type=\"double\">x<")],
            kind: .wrongType),
        Damage(
            name: "too many bits", edits: [("type=\"int16\">21<", "type=\"int16\">70000<")], kind: .wrongType),
        Damage(
            name: "dangling reference",
            edits: [("(name=\"leads\"[^>]*idrefs=\")[^\"]*", "$1z999")], kind: .danglingReference),
        Damage(
            name: "wrong entity", edits: [("(name=\"leads\"[^>]*idrefs=\")[^\"]*", "$1z1")], kind: .wrongReference),
        Damage(
            name: "half of one-to-one", edits: [("<relationship name=\"leads\"[^>]*(/>|></relationship>)", "")],
            kind: .oneSided),
        Damage(
            name: "half of one-to-many", edits: [("<relationship name=\"members\"[^>]*(/>|></relationship>)", "")],
            kind: .oneSided),
        Damage(
            name: "half of many-to-many", edits: [("<relationship name=\"people\"[^>]*(/>|></relationship>)", "")],
            kind: .oneSided),
        Damage(
            name: "dangling link", edits: [("(name=\"guests\"[^>]*idrefs=\")([^\"]*)", "$1$2 z999")],
            kind: .danglingLink),
        Damage(
            name: "doubled link", edits: [("(name=\"guests\"[^>]*idrefs=\")([^\"]*)", "$1$2 $2")], kind: .doubledLink),
        Damage(
            name: "number twice", edits: [("(</database>)", "<object type=\"GROUP\" id=\"z1\"></object>$1")],
            kind: .badKey),
        Damage(
            name: "impossible number", edits: [("(</database>)", "<object type=\"GROUP\" id=\"z0\"></object>$1")],
            kind: .badKey),
        Damage(
            name: "required value with a default",
            edits: [("<attribute name=\"age\" type=\"int16\">21</attribute>", "")],
            kind: .missingValue),
        Damage(
            name: "required value", edits: [("<attribute name=\"name\" type=\"string\">Bob</attribute>", "")],
            kind: .missingValue, isRepairable: false),
        Damage(
            name: "equal values", edits: [("(name=\"code\" type=\"string\">)c1", "$1c0")], kind: .duplicateValues,
            isRepairable: false),
        Damage(name: "identity", edits: [("<UUID>[^<]*</UUID>", "<UUID>none</UUID>")], kind: .missingIdentity),
    ]

    @Test(
        "each damage of an XML store is found and repaired (HAZ-49, HAZ-14, HAZ-18, HAZ-20, HAZ-21, HAZ-24, HAZ-31)",
        arguments: damages)
    func damageIsFoundAndRepaired(damage: Damage) throws {
        try make(.xml)
        try edit(damage.edits)
        let bytes = try Data(contentsOf: url)
        let report = try check()
        let kinds = Set(report.findings.counts.keys)
        #expect(kinds.contains(damage.kind), "\(report.findings.listed)")
        #expect((report.findings.repairable > 0) == damage.isRepairable, "\(report.findings.listed)")
        var after = try Data(contentsOf: url)
        #expect(after == bytes)
        let copy = folder.url.appendingPathComponent("Copy.store")
        var told: [StoreFinding] = []
        let repaired = try StoreRepair(StoreCheck(url, model: model), copy: copy).run { told.append($0) }
        #expect(repaired.count == told.count && repaired.count == report.findings.repairable)
        #expect(repaired.check.findings.repairable == 0, "\(repaired.check.findings.listed)")
        #expect(repaired.check.isSound == damage.isRepairable, "\(repaired.check.findings.listed)")
        after = try Data(contentsOf: url)
        #expect(after == bytes)
        // The library opens what was repaired; it refuses most of what was not.
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try CheckScene.model())
        let opened = try coordinator.addPersistentStore(ofType: NSXMLStoreType, configurationName: nil, at: copy)
        #expect(UUID(uuidString: opened.identifier) != nil)
    }

    @Test("what repair fills in and takes out is what both halves can say (HAZ-49)")
    func repairFillsInAndRemovesWhatBothHalvesState() throws {
        try make(.xml)
        let whole = try lines(url)
        try edit([
            ("<relationship name=\"people\"[^>]*(/>|></relationship>)", ""),
            ("(name=\"guests\"[^>]*idrefs=\")([^\"]*)", "$1$2 z999"),
        ])
        let repaired = try StoreRepair(StoreCheck(url, model: model)).run { _ in }
        #expect(repaired.check.isSound && repaired.count > 1)
        let found = try lines(url)
        #expect(found == whole)
        let backup = try #require(repaired.backup)
        #expect(backup.lastPathComponent == "People.before-repair.store")
        let before = try StoreCheck(backup, model: model).run()
        #expect(before.findings.count == repaired.count)
    }

    /// All relationships of the store by the names of what they lead to.
    private func lines(_ place: URL) throws -> [String] {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try CheckScene.model())
        let store = try coordinator.addPersistentStore(ofType: NSXMLStoreType, configurationName: nil, at: place)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let found = try context.performAndWait {
            try ["Person", "Team", "Group", "Passport"].flatMap { name in
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name)).flatMap { object in
                    object.entity.relationshipsByName.keys.map { key in
                        let members = object.objectIDs(forRelationshipNamed: key)
                        return "\(object.objectID.uriRepresentation().lastPathComponent) \(key) "
                            + "\(members.map { $0.uriRepresentation().lastPathComponent }.sorted())"
                    }
                }
            }
        }
        try coordinator.remove(store)
        return found.sorted()
    }

    @Test(
        "a file that cannot be read to its end is a finding, and is not repaired (HAZ-49, HAZ-50)",
        arguments: StoreKind.wholeFiles)
    func damagedFiles(kind: StoreKind) throws {
        try make(kind)
        let bytes = try Data(contentsOf: url)
        try bytes.dropLast(200).write(to: url)
        let report = try check()
        #expect(report.findings.counts == [.damagedFile: 1], "\(report.findings.listed)")
        #expect(throws: InspectionError.self) { _ = try StoreRepair(StoreCheck(url, model: model)).run { _ in } }
        let after = try Data(contentsOf: url)
        #expect(after == bytes.dropLast(200))
    }

    @Test("values of the wrong type in a binary store with right checksums are found and repaired (HAZ-50)")
    func binaryValues() throws {
        try make(.binary)
        var bytes = [UInt8](try Data(contentsOf: url))
        let headSize = Int(bytes[12]) | Int(bytes[13]) << 8 | Int(bytes[14]) << 16
        // The weight 1.5 of somebody, as a text of no bytes that takes up as much room.
        let weight = withUnsafeBytes(of: Double(1.5).bitPattern.littleEndian, Array.init)
        let place = try #require(
            (24 + headSize..<bytes.count - 8).first {
                bytes[$0] == RowTag.real && Array(bytes[$0 + 1..<$0 + 9]) == weight
            })
        bytes[place] = RowTag.blob
        bytes.replaceSubrange(place + 1..<place + 9, with: [4, 0, 0, 0, 1, 2, 3, 4])
        let sum = BinaryFormat.sum(Array(bytes[(24 + headSize)..<(bytes.count - 4)]))
        withUnsafeBytes(of: sum.littleEndian) { bytes.replaceSubrange((bytes.count - 4)..., with: $0) }
        try Data(bytes).write(to: url)
        let report = try check()
        #expect(report.findings.counts == [.wrongType: 1], "\(report.findings.listed)")
        #expect(report.findings.listed.first?.property == "weight")
        let repaired = try StoreRepair(StoreCheck(url, model: model)).run { _ in }
        #expect(repaired.check.isSound && repaired.count == 1)
    }
}
