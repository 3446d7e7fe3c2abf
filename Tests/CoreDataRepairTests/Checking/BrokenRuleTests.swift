import CoreData
import CoreDataRepair
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// Values and relationships that another program left against the rules of the model.
@Suite("Checking the rules of the model")
struct BrokenRuleTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("Stock.store") }
    private var model: URL { folder.url.appendingPathComponent("Stock.xcdatamodel") }

    private static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Item" representedClassName="Item" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String" minValueString="2" maxValueString="5"/>
        <attribute name="code" optional="YES" attributeType="String" regularExpressionString="[A-Z]+"/>
        <attribute name="size" optional="YES" attributeType="Integer 32" minValueString="0" maxValueString="9" usesScalarValueType="NO"/>
        <attribute name="weight" optional="YES" attributeType="Double" maxValueString="2.5" usesScalarValueType="NO"/>
        <relationship name="parts" toMany="YES" minCount="1" maxCount="2" deletionRule="Nullify" destinationEntity="Part" inverseName="item" inverseEntity="Part"/>
        <relationship name="tags" optional="YES" toMany="YES" minCount="2" deletionRule="Nullify" destinationEntity="Tag" inverseName="items" inverseEntity="Tag"/>
        </entity>
        <entity name="Part" representedClassName="Part" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="item" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Item" inverseName="parts" inverseEntity="Item"/>
        </entity>
        <entity name="Tag" representedClassName="Tag" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Item" inverseName="tags" inverseEntity="Item"/>
        </entity>
        </model>
        """

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(Self.source.utf8).write(to: model.appendingPathComponent("contents"))
    }

    /// One item in order, with two parts and without tags.
    private func make(_ kind: StoreKind) throws {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(source: Data(Self.source.utf8)))
        let store = try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let item = context.insert("Item", ["name": "ünö👍", "code": "AB", "size": 9, "weight": 2.5])
            for name in ["p", "q"] { context.insert("Part", ["name": name, "item": item]) }
            context.insert("Tag", ["name": "t"])
            try context.save()
        }
        try coordinator.remove(store)
    }

    private func findings(_ report: StoreCheckReport) -> [String] {
        report.findings.listed.map { "\($0.kind.rawValue) \($0.object ?? "-").\($0.property ?? "-")" }.sorted()
    }

    @Test(
        "a value or a number of members against the model's rules is found in a SQLite store (TOOL-16)",
        arguments: [
            ("UPDATE ZITEM SET ZNAME = 'six éé'", "broken-rule Item/p1.name"),
            ("UPDATE ZITEM SET ZNAME = 'x'", "broken-rule Item/p1.name"),
            ("UPDATE ZITEM SET ZCODE = 'ab'", "broken-rule Item/p1.code"),
            ("UPDATE ZITEM SET ZSIZE = 10", "broken-rule Item/p1.size"),
            ("UPDATE ZITEM SET ZSIZE = -1", "broken-rule Item/p1.size"),
            ("UPDATE ZITEM SET ZWEIGHT = 2.6", "broken-rule Item/p1.weight"),
            ("DELETE FROM ZPART", "missing-value Item/p1.parts"),
            (
                "INSERT INTO ZPART (Z_PK, Z_ENT, Z_OPT, ZITEM) SELECT 9, Z_ENT, 1, 1 FROM ZPART LIMIT 1; "
                    + "UPDATE Z_PRIMARYKEY SET Z_MAX = 9", "broken-rule Item/p1.parts"
            ),
        ])
    func brokenRules(statements: String, finding: String) throws {
        try make(.sqlite)
        #expect(try StoreCheck(url).run().isSound)
        let connection = try Connection.open(url.path)
        for statement in statements.split(separator: ";") { try connection.execute(String(statement)) }
        let join = try connection.value("SELECT name FROM sqlite_master WHERE name LIKE 'Z\\_%TAGS' ESCAPE '\\'")?.text
        connection.close()
        #expect(join != nil)
        let report = try StoreCheck(url).run()
        #expect(findings(report) == [finding] && !report.isSound)
        #expect(report.findings.repairable == 0)
    }

    @Test("too few members of an optional many-to-many relationship are found; an empty one is valid (TOOL-16)")
    func fewMembers() throws {
        try make(.sqlite)
        let connection = try Connection.open(url.path)
        let join = try #require(
            try connection.value("SELECT name FROM sqlite_master WHERE name LIKE 'Z\\_%TAGS' ESCAPE '\\'")?.text)
        try connection.execute("INSERT INTO \(join) VALUES (1, 1)")
        connection.close()
        #expect(try findings(StoreCheck(url).run()) == ["broken-rule Item/p1.tags"])
    }

    @Test("broken rules are found in an XML store (TOOL-16)")
    func xmlStore() throws {
        try make(.xml)
        #expect(try StoreCheck(url, model: model).run().isSound)
        var text = try String(contentsOf: url, encoding: .utf8)
        text = text.replacingOccurrences(of: ">AB<", with: ">ab<").replacingOccurrences(
            of: "(<attribute name=\"size\"[^>]*>)9<", with: "$110<", options: .regularExpression)
        try Data(text.utf8).write(to: url)
        let report = try StoreCheck(url, model: model).run()
        let kinds = report.findings.listed.map { "\($0.kind.rawValue) \($0.property ?? "-")" }.sorted()
        #expect(kinds == ["broken-rule code", "broken-rule size"], "\(report.findings.listed)")
    }
}
