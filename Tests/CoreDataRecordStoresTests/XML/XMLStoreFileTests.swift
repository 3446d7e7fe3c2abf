import CoreData
import StoreContract
import TestBasics
import Testing

@testable import CoreDataRecordStores

/// What is XML's own about XML stores.
@Suite(.timeLimit(.minutes(10))) struct XMLStoreFileTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("Test.xml") }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ records: String, last: Int = 9) throws {
        try Data(
            """
            <?xml version="1.0" standalone="no"?>
            <database><databaseInfo><version>134481920</version><UUID>5A2D9C5E-2C57-4D0F-8C64-8A6C6B4E9D11</UUID>
            <nextObjectID>\(last)</nextObjectID><metadata><plist version="1.0"><dict></dict></plist></metadata></databaseInfo>
            \(records)
            </database>
            """.utf8
        ).write(to: url)
    }

    private func open() throws -> Stack {
        try Stack(
            FileStoreModel.make(), url: url, kind: .xml, options: [NSIgnorePersistentStoreVersioningOption: true])
    }

    @Test("a store written by hand is read, and the records that are not edited stay to the byte (STO-04)")
    func editsKeepTheRest() throws {
        try write(
            """
            <!-- one --><object type='GROUP' id="z3"><attribute name="name" type="string">A</attribute>
               <relationship name="things" type="0/0" destination="THING" idrefs="z7 z5"/></object>
            <object type="THING" id="z5"><relationship name="group" type="1/1" destination="GROUP" idrefs="z3"/></object>
            <object id="z7" type="SPECIAL"><attribute name="price" type="decimal">1.50</attribute>
            <relationship name="group" type="1/1" destination="GROUP" idrefs="z3"/></object>
            """)
        let stack = try open()
        let group = try #require(try stack.context.all("Group").first)
        #expect((group.value(forKey: "things") as? NSOrderedSet)?.count == 2)
        let special = try #require(try stack.context.all("Special").first)
        #expect(special.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "1.5"))
        special.setValue("new", forKey: "note")
        stack.context.insert("Group", ["name": "B"])
        try stack.context.save()
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(
            text.contains("<!-- one --><object type='GROUP' id=\"z3\"><attribute name=\"name\" type=\"string\">A</at"))
        #expect(text.contains("<attribute name=\"note\" type=\"string\">new</attribute>"))
        #expect(text.contains("<object type=\"GROUP\" id=\"z10\">") && text.contains("<nextObjectID>10<"))
        #expect(try open().context.all("Group").count == 2)
    }

    @Test(
        "an incomplete graph is refused, and the line is named (HAZ-49)",
        arguments: [
            ("<object type=\"GROUP\" id=\"z0\"></object>", 4), ("<object type=\"GROUP\" id=\"3\"></object>", 4),
            ("<object type=\"GROUP\" id=\"z3\"/>\n<object type=\"THING\" id=\"z3\"/>", 5),
            ("<object type=\"GROUP\" id=\"z9223372036854775807\"></object>", 4),
            ("<object type=\"group\" id=\"z3\"></object>", 4), ("<object type=\"ROOM\" id=\"z3\"></object>", 4),
            ("<object type=\"GROUP\" id=\"z3\">\n<attribute name=\"size\" type=\"int16\">1</attribute></object>", 5),
            ("<object type=\"GROUP\" id=\"z3\">\n<attribute name=\"name\" type=\"int16\">1</attribute></object>", 5),
            (
                "<object type=\"THING\" id=\"z3\">\n<attribute name=\"small\" type=\"int16\">40000</attribute></object>",
                5
            ),
            (
                "<object type=\"THING\" id=\"z3\">\n<attribute name=\"data\" type=\"binary\">A!==</attribute></object>",
                5
            ),
            (
                "<object type=\"THING\" id=\"z3\">\n<attribute name=\"price\" type=\"decimal\">1.2x</attribute></object>",
                5
            ),
            ("<object type=\"THING\" id=\"z3\">\n<attribute name=\"flag\" type=\"bool\">2</attribute></object>", 5),
            (
                "<object type=\"GROUP\" id=\"z3\"><attribute name=\"name\" type=\"string\">a</attribute>\n"
                    + "<attribute name=\"name\" type=\"string\">b</attribute></object>", 5
            ),
            (
                "<object type=\"GROUP\" id=\"z3\"><relationship name=\"chief\" type=\"1/1\" destination=\"\" idrefs=\"z4\"/></object>",
                4
            ),
            (
                "<object type=\"GROUP\" id=\"z3\"><relationship name=\"chief\" type=\"1/1\" destination=\"\" idrefs=\"z3\"/></object>",
                4
            ),
            (
                "<object type=\"GROUP\" id=\"z3\"><relationship name=\"things\" type=\"0/0\" destination=\"\" idrefs=\"z5\"/></object>\n<object type=\"THING\" id=\"z5\"/>",
                4
            ),
            (
                "<object type=\"GROUP\" id=\"z3\"/>\n<object type=\"THING\" id=\"z5\"><relationship name=\"group\" type=\"1/1\" destination=\"\" idrefs=\"z3\"/></object>",
                5
            ),
            (
                "<object type=\"THING\" id=\"z5\"><relationship name=\"friends\" type=\"0/0\" destination=\"\" idrefs=\"z5\"/></object>",
                4
            ),
            ("<!DOCTYPE a [<!ENTITY b \"c\">]>", 4), ("<databaseInfo/>", 4),
        ])
    func hostileFiles(records: String, line: Int) throws {
        try write(records)
        let bytes = try Data(contentsOf: url)
        let error = expectError(NSFileReadCorruptFileError, comment: records) { try open() }
        #expect(error?.localizedDescription.contains("(line \(line))") == true, "\(error?.localizedDescription ?? "")")
        #expect(try Data(contentsOf: url) == bytes)
    }

    @Test("cut off anywhere, and with bytes changed at random, a file is read or refused (HAZ-49)")
    func damagedFiles() throws {
        let stack = try open()
        try FileStoreModel.fill(stack, count: 12)
        try stack.coordinator.remove(stack.store)
        let whole = [UInt8](try Data(contentsOf: url))
        for length in stride(from: 0, to: whole.count - 12, by: 512) {
            try Data(whole[..<length]).write(to: url)
            expectError(NSFileReadCorruptFileError, comment: "\(length)") { try open() }
        }
        var random = SeededRandom(seed: TestSeed.first)
        for _ in 0..<(TestSeed.isExhaustive ? 5_000 : 150) {
            var bytes = whole
            for _ in 0...random.next(below: 3) {
                bytes[random.next(below: bytes.count)] = UInt8(random.next(below: 256))
            }
            try Data(bytes).write(to: url)
            guard let opened = try? open() else { continue }
            _ = try? FileStoreModel.content(opened.context)
        }
    }

    @Test("entities and properties that differ by case only are distinguished (STO-04)")
    func namesThatClash() throws {
        let builder = ModelBuilder()
        builder.entity(
            "Item", ["name": .stringAttributeType, "Name": .stringAttributeType, "other": .stringAttributeType])
        builder.entity("ITEM", ["name": .stringAttributeType])
        let stack = try Stack(builder.model, url: url, kind: .xml)
        stack.context.insert("Item", ["name": "a", "Name": "b", "other": "c"])
        stack.context.insert("ITEM", ["name": "d"])
        try stack.context.save()
        let opened = try stack.reopened()
        let item = try #require(try opened.context.all("Item").first)
        #expect(["name", "Name", "other"].map { item.value(forKey: $0) as? String } == ["a", "b", "c"])
        #expect(try opened.context.all("ITEM").first?.value(forKey: "name") as? String == "d")
    }

    @Test(
        "every store in XML at hand opens, and what is not edited is written back to the byte (STO-04)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
    func fixturesComeBack() throws {
        let paths = (FileManager.default.enumerator(atPath: Fixtures.folder.path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix("xcmapping.xml") }
        #expect(paths.count >= 11)
        for path in paths {
            let bytes = try Data(contentsOf: Fixtures.url(path))
            try bytes.write(to: url)
            let model = try DerivedModel.make(of: bytes)
            let stack = try Stack(model, url: url, kind: .xml, options: [NSIgnorePersistentStoreVersioningOption: true])
            let count = try stack.context.all("XDDEVENTITYMAPPING").count
            #expect(count > 0)
            let made = stack.context.insert("XDDEVMAPPINGMODEL")
            try stack.context.save()
            stack.context.delete(made)
            try stack.context.save()
            let written = try Data(contentsOf: url)
            // The number of the last record, and so the head, is another; all records are the same to the byte.
            let end = Data("</databaseInfo>".utf8)
            let (old, new) = (try #require(bytes.range(of: end)), try #require(written.range(of: end)))
            #expect(bytes[old.upperBound...] == written[new.upperBound...], "\(path)")
            stack.context.insert("XDDEVMAPPINGMODEL")
            let all = try stack.context.all("XDDEVENTITYMAPPING")
            for object in all { object.setValue(object.value(forKey: "sourcename"), forKey: "sourcename") }
            try stack.context.save()
            #expect(try stack.reopened().context.all("XDDEVENTITYMAPPING").count == count)
        }
    }
}
