import CoreDataSQL
import SQLiteKit
import Testing

struct DerivationTests {
    @Test(arguments: [
        ("pages.@count", Derivation.count(relationship: "pages")), ("count:(pages)", .count(relationship: "pages")),
        ("items.@sum.price", .aggregate(.sum, relationship: "items", attribute: "price")),
        ("items.price.@sum", .aggregate(.sum, relationship: "items", attribute: "price")),
        ("sum:(items.price)", .aggregate(.sum, relationship: "items", attribute: "price")),
        ("items.@min.price", .aggregate(.least, relationship: "items", attribute: "price")),
        ("max:(items.price)", .aggregate(.greatest, relationship: "items", attribute: "price")),
        ("average:(items.price)", .aggregate(.average, relationship: "items", attribute: "price")),
        ("median:(items.price)", .other("median:(items.price)")),
        ("now()", .now), (" now ( ) ", .now), ("author.name", .copy(path: ["author", "name"])),
        ("name", .copy(path: ["name"])), ("canonical:(name)", .function(name: "canonical", path: ["name"])),
        ("lowercase:(list.name)", .function(name: "lowercase", path: ["list", "name"])),
        ("a + b", .other("a+b")), ("", .other("")), ("f(", .other("f(")), ("a.b.@count", .other("count:(a.b)")),
        ("canonical:(f:(x))", .other("canonical:(f:(x))")),
    ])
    func derivationsAreRead(text: String, expected: Derivation) {
        #expect(Derivation(text: text) == expected)
    }

    private func library(_ text: String) -> ModelSketch {
        let sketch = ModelSketch()
        sketch.entity("Book", ["title": .stringAttributeType])
        sketch.entity("Page", ["number": .integer64AttributeType])
        sketch.relationships("Book.pages*", "Page.book")
        sketch.derived("derived", .integer64AttributeType, in: "Book", text)
        return sketch
    }

    @Test func countOfChildrenMakesFiveTriggers() {
        let schema = library("pages.@count").schema
        #expect(
            schema.triggers.map(\.name) == [
                "Z_DA_ZPAGE_Book_derived_PARAMETER_INSERT", "Z_DA_ZPAGE_Book_derived_PARAMETER_UPDATE_INCREMENT",
                "Z_DA_ZPAGE_Book_derived_PARAMETER_UPDATE_DECREMENT", "Z_DA_ZPAGE_Book_derived_PARAMETER_DELETE",
                "Z_DA_ZBOOK_Book_derived_SOURCE_INSERT",
            ])
        #expect(
            schema.triggers.last?.sql
                == "CREATE TRIGGER Z_DA_ZBOOK_Book_derived_SOURCE_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN "
                + "UPDATE ZBOOK SET ZDERIVED = (SELECT IFNULL(COUNT(ZBOOK), 0) FROM ZPAGE WHERE ZBOOK = NEW.Z_PK) "
                + "WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZBOOK', Z_ENT, "
                + "Z_PK, 'derived', ZDERIVED) FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END")
        #expect(schema.entity(named: "Book")?.attribute("derived")?.derivation == .count(relationship: "pages"))
    }

    @Test("triggers keep the count and report each change (HAZ-10)") func triggersKeepTheCount() throws {
        let connection = try Connection.inMemory()
        var reports: [[Value]] = []
        for name in [
            "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
        ] {
            try connection.registerFunction(name, argumentCount: 5, flags: .innocuous) { arguments in
                reports.append((0..<5).map { arguments[$0] })
                return .null
            }
        }
        for statement in library("pages.@count").schema.creationStatements { try connection.execute(statement) }
        try connection.executeScript(
            """
            INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
            INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZBOOK) VALUES (1, 2, 1, 1), (2, 2, 1, 1), (3, 2, 1, NULL);
            UPDATE ZPAGE SET ZBOOK = 2 WHERE Z_PK = 1;
            UPDATE ZPAGE SET ZBOOK = 2 WHERE Z_PK = 3;
            DELETE FROM ZPAGE WHERE Z_PK = 2;
            """)
        #expect(try connection.rows("SELECT ZDERIVED FROM ZBOOK ORDER BY Z_PK") == [[0], [2]])
        #expect(reports.count == 8)
        #expect(reports.last == ["ZBOOK", 1, 1, "derived", 0])
    }

    @Test func timeOfUpdateMakesOneTrigger() {
        let triggers = library("now()").schema.triggers
        #expect(triggers.map(\.name) == ["Z_DA_ZBOOK_Book_derived_UPDATE"])
        #expect(
            triggers.first?.sql
                == "CREATE TRIGGER Z_DA_ZBOOK_Book_derived_UPDATE AFTER UPDATE OF Z_OPT ON ZBOOK FOR EACH ROW BEGIN "
                + "UPDATE ZBOOK SET ZDERIVED = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK; SELECT "
                + "NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'derived', ZDERIVED) FROM ZBOOK "
                + "WHERE Z_PK = NEW.Z_PK; END")
    }

    /// A model of chats, whose text of triggers is known from a store of an iOS 17 app.
    private func chats(_ text: String = "otherAccount.serverId") -> ModelSketch {
        let sketch = ModelSketch()
        sketch.entity("ManagedChat", ["name": .stringAttributeType])
        sketch.entity("ManagedAccount", ["serverId": .stringAttributeType])
        sketch.relationships("ManagedChat.otherAccount", "ManagedAccount.chats*")
        sketch.derived("otherAccountId", .stringAttributeType, in: "ManagedChat", text)
        return sketch
    }

    @Test("the value at the end of a to-one relationship makes Apple's four triggers, word for word (MOD-42)")
    func copyMakesFourTriggers() {
        let (insert, update) = (
            "SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZMANAGEDCHAT', Z_ENT, Z_PK, 'otherAccountId', "
                + "ZOTHERACCOUNTID) FROM ZMANAGEDCHAT WHERE",
            "SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZMANAGEDCHAT', Z_ENT, Z_PK, 'otherAccountId', "
                + "ZOTHERACCOUNTID) FROM ZMANAGEDCHAT WHERE"
        )
        let found = "(SELECT ZSERVERID FROM ZMANAGEDACCOUNT WHERE Z_PK = NEW.ZOTHERACCOUNT)"
        #expect(
            chats().schema.triggers.map(\.sql) == [
                "CREATE TRIGGER Z_DA_ZMANAGEDCHAT_ManagedChat_otherAccountId_SOURCE_INSERT AFTER INSERT ON ZMANAGEDCHAT "
                    + "FOR EACH ROW BEGIN UPDATE ZMANAGEDCHAT SET ZOTHERACCOUNTID = \(found) WHERE Z_PK = NEW.Z_PK; "
                    + "\(insert) Z_PK = NEW.Z_PK; END",
                "CREATE TRIGGER Z_DA_ZMANAGEDCHAT_ManagedChat_otherAccountId_SOURCE_UPDATE AFTER UPDATE OF "
                    + "ZOTHERACCOUNT ON ZMANAGEDCHAT FOR EACH ROW BEGIN UPDATE ZMANAGEDCHAT SET ZOTHERACCOUNTID = "
                    + "\(found) WHERE Z_PK = NEW.Z_PK; \(update) Z_PK = NEW.Z_PK; END",
                "CREATE TRIGGER Z_DA_ZMANAGEDACCOUNT_ManagedChat_otherAccountId_PARAMETER_INSERT AFTER INSERT ON "
                    + "ZMANAGEDACCOUNT FOR EACH ROW BEGIN UPDATE ZMANAGEDCHAT SET ZOTHERACCOUNTID = NEW.ZSERVERID "
                    + "WHERE ZOTHERACCOUNT = NEW.Z_PK; \(insert) ZOTHERACCOUNT = NEW.Z_PK; END",
                "CREATE TRIGGER Z_DA_ZMANAGEDACCOUNT_ManagedChat_otherAccountId_PARAMETER_UPDATE AFTER UPDATE OF "
                    + "ZSERVERID ON ZMANAGEDACCOUNT FOR EACH ROW BEGIN UPDATE ZMANAGEDCHAT SET ZOTHERACCOUNTID = "
                    + "NEW.ZSERVERID WHERE ZOTHERACCOUNT = NEW.Z_PK; \(update) ZOTHERACCOUNT = NEW.Z_PK; END",
            ])
    }

    @Test(arguments: [
        "otherAccount.server", "other.serverId", "uppercase:(otherAccount.serverId)", "otherAccount.chats.name",
        "otherAccount.chats", "name",
    ])
    func otherPathsMakeNoTriggers(text: String) {
        #expect(chats(text).schema.triggers.isEmpty)
    }

    @Test func copyThatMustBeUniqueIsLeftToTheSave() {
        let sketch = chats()
        sketch["ManagedChat"].uniquenessConstraints = [["otherAccountId"]]
        #expect(sketch.schema.triggers.isEmpty)
    }

    @Test(arguments: ["canonical:(title)", "pages.@sum.number", "title", "nobody.@count", "title.@count", "1 + 1"])
    func otherDerivationsAreLeftToTheSave(text: String) {
        #expect(library(text).schema.triggers.isEmpty)
    }

    @Test(arguments: [
        ("pages.@count", Derivation.count(relationship: "pages")), ("now()", .now),
        ("canonical:(title)", .function(name: "canonical", path: ["title"])), ("title", .copy(path: ["title"])),
        ("pages.@sum.number", .aggregate(.sum, relationship: "pages", attribute: "number")),
    ])
    func derivationsMadeInCodeAreRead(format: String, expected: Derivation) {
        let sketch = library("")
        let attribute = sketch["Book"].attributesByName["derived"] as? NSDerivedAttributeDescription
        attribute?.derivationText = nil
        attribute?.derivationExpression = NSExpression(format: format)
        #expect(sketch.schema.entity(named: "Book")?.attribute("derived")?.derivation == expected)
    }

    @Test func quotesInNamesStayInsideTheTrigger() throws {
        let sketch = ModelSketch()
        sketch.entity("It's", ["a": .stringAttributeType])
        sketch.entity("Page")
        sketch.relationships("It's.pages*", "Page.it")
        sketch.derived("o'clock", .integer64AttributeType, in: "It's", "pages.@count")
        let connection = try Connection.inMemory()
        for statement in sketch.schema.creationStatements { try connection.execute(statement) }
        #expect(try connection.catalog().triggers.count == 5)
    }
}
