import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing
import VersionSketches

/// Attributes that get another type of numbers: every pair of types, in files of each kind.
@Suite("Conversions between numbers") struct ConvertedNumberTests {
    static let kinds: [StoreKind] = [.sqlite, .xml, .binary]

    static func model(
        _ type: NSAttributeType, _ change: (ModelBuilder) -> Void = { _ in }
    ) -> NSManagedObjectModel {
        MigrationScene.model { builder in
            builder.entity("Event", ["value": type, "name": .stringAttributeType])
            builder.entity("Late", in: "Event", ["other": .stringAttributeType])
            builder["Event"].indexes = [index(builder.attribute("Event.value"))]
            change(builder)
        }
    }

    private static func index(_ attribute: NSAttributeDescription) -> NSFetchIndexDescription {
        NSFetchIndexDescription(
            name: "byValue", elements: [NSFetchIndexElementDescription(property: attribute, collationType: .binary)])
    }

    /// A file of a kind with objects of both entities that have the values, in the order of their names.
    private struct Place {
        let kind: StoreKind
        let url: URL
        private let folder: TemporaryFolder
        /// Stores of XML and binary ones keep no model: the versions are among the resources.
        private let resources: TemporaryFolder

        init(_ kind: StoreKind, _ model: NSManagedObjectModel, _ values: [NSNumber?]) throws {
            self.kind = kind
            folder = try TemporaryFolder()
            resources = try TemporaryFolder()
            url = folder.url.appendingPathComponent("Test.store")
            try model.compiledData().write(to: resources.url.appendingPathComponent("Old.mom"))
            try with(model, options: [:]) { context in
                for (number, value) in values.enumerated() {
                    context.insert(
                        number % 2 == 0 ? "Event" : "Late",
                        ["value": value, "name": "n\(number + 10)"].compactMapValues { $0 })
                }
                try context.save()
            }
        }

        func with<Result>(
            _ model: NSManagedObjectModel, options: [AnyHashable: Any] = MigrationScene.automatic,
            _ body: (NSManagedObjectContext) throws -> Result
        ) throws -> Result {
            var options = options
            if !options.isEmpty {
                try model.compiledData().write(to: resources.url.appendingPathComponent("New.mom"))
                options[CoreDataMigrationResourcesOption] = [resources.url]
            }
            let stack = try Stack(model, url: url, kind: kind, options: options)
            defer { try? stack.coordinator.remove(stack.store) }
            return try body(stack.context)
        }

        func values(_ model: NSManagedObjectModel, _ type: NSAttributeType) throws -> [String] {
            try with(model) { context in
                try context.all("Event", sortedBy: "name").map { NumberPair.text($0.value(forKey: "value"), type) }
            }
        }

        /// The ends of the identifiers of the objects of names.
        func rows(_ model: NSManagedObjectModel, _ numbers: [Int]) throws -> Set<String> {
            try with(model, options: [:]) { context in
                let all = try context.all("Event", sortedBy: "name")
                return Set(numbers.map { "\(all[$0].entity.name ?? "")/p\(all[$0].rowKey)" })
            }
        }

        var bytes: Data? { FileManager.default.contents(atPath: url.path) }
    }

    @Test("numbers of every pair of types are converted, and no value stays none (MIG-10)", arguments: NumberPair.all)
    func everyPair(pair: NumberPair) throws {
        let values: [NSNumber?] = pair.fitting.map(\.before) + [nil] + pair.fitting.map(\.before)
        let expected = pair.fitting.map(\.after) + ["nil"] + pair.fitting.map(\.after)
        for kind in Self.kinds {
            let place = try Place(kind, Self.model(pair.old), values)
            #expect(try place.values(Self.model(pair.new), pair.new) == expected, "\(kind)")
            // And what is there is of the type: it is found, changed and saved.
            try place.with(Self.model(pair.new)) { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Event")
                for object in try context.all("Event") where object.value(forKey: "value") != nil {
                    request.predicate = NSPredicate(
                        format: "value == %@", argumentArray: [object.value(forKey: "value")])
                    #expect(try context.fetch(request).contains(object), "\(kind)")
                }
                try context.all("Event").first?.setValue(1, forKey: "value")
                try context.save()
            }
        }
    }

    @Test(
        "a number that does not fit refuses the migration, names the rows, and nothing changes (MIG-10)",
        arguments: NumberPair.all)
    func everyRefusal(pair: NumberPair) throws {
        for (number, misfit) in pair.misfits.enumerated() {
            for (index, kind) in Self.kinds.enumerated() where index == 0 || number == 0 {
                let fitting = pair.fitting.map(\.before)
                let place = try Place(kind, Self.model(pair.old), fitting + [nil, misfit, misfit])
                let rows = try place.rows(Self.model(pair.old), [fitting.count + 1, fitting.count + 2])
                let before = try place.with(Self.model(pair.old), options: [:]) { try Self.texts($0, pair.old) }
                let bytes = place.bytes
                let error = expectError(134110) { try place.with(Self.model(pair.new)) { _ in } }
                #expect(error?.userInfo["attribute"] as? String == "value", "\(kind) \(misfit)")
                #expect(error?.userInfo["count"] as? Int == 2)
                #expect(Set(error?.userInfo["rows"] as? [String] ?? []) == rows, "\(kind) \(misfit)")
                #expect(error?.localizedDescription.contains("2 values of Event.value do not fit") == true)
                #expect(place.bytes == bytes)
                let after = try place.with(Self.model(pair.old), options: [:]) { try Self.texts($0, pair.old) }
                #expect(after == before)
            }
        }
    }

    private static func texts(_ context: NSManagedObjectContext, _ type: NSAttributeType) throws -> [String] {
        try context.all("Event", sortedBy: "name").map { NumberPair.text($0.value(forKey: "value"), type) }
    }

    @Test("of many numbers that do not fit the first are named, with how many there are (MIG-10)", arguments: kinds)
    func manyMisfits(kind: StoreKind) throws {
        let values = (0..<12).map { NSNumber(value: $0 % 3 == 0 ? 1 : 70_000 + $0) }
        let place = try Place(kind, Self.model(.integer32AttributeType), values)
        let error = expectError(134110) { try place.with(Self.model(.integer16AttributeType)) { _ in } }
        #expect(error?.userInfo["count"] as? Int == 8)
        let rows = error?.userInfo["rows"] as? [String] ?? []
        #expect(rows == rows.sorted { $0.suffix(2) < $1.suffix(2) } && Set(rows).count == 5)
        #expect(error?.localizedDescription.contains(", …)") == true)
    }

    @Test("a decimal NaN fits no other type and is named (MIG-10)", arguments: kinds)
    func decimalNaNIsNamed(kind: StoreKind) throws {
        for type in [NSAttributeType.doubleAttributeType, .floatAttributeType, .integer64AttributeType] {
            let place = try Place(
                kind, Self.model(.decimalAttributeType), [NSDecimalNumber.one, NSDecimalNumber.notANumber, nil])
            let rows = try place.rows(Self.model(.decimalAttributeType), [1])
            let error = expectError(134110) { try place.with(Self.model(type)) { _ in } }
            #expect(Set(error?.userInfo["rows"] as? [String] ?? []) == rows)
            let kept = try place.with(Self.model(.decimalAttributeType), options: [:]) {
                try $0.all("Event", sortedBy: "name").map {
                    ($0.value(forKey: "value") as? NSDecimalNumber)?.stringValue
                }
            }
            #expect(kept == ["1", "NaN", nil])
        }
    }

    @Test("rows without a value get the default of the new type, others their own number (MIG-07)", arguments: kinds)
    func rowsWithoutValueGetDefaultOfNewType(kind: StoreKind) throws {
        for (old, new, preset) in [
            (
                NSAttributeType.integer32AttributeType, NSAttributeType.decimalAttributeType,
                NSDecimalNumber(string: "2.5")
            ),
            (.doubleAttributeType, .integer16AttributeType, NSNumber(value: 7)),
            (.decimalAttributeType, .doubleAttributeType, NSNumber(value: 0.25)),
            (.integer64AttributeType, .integer16AttributeType, NSNumber(value: 9)),
        ] as [(NSAttributeType, NSAttributeType, NSNumber)] {
            let place = try Place(kind, Self.model(old), [4, nil, 5])
            let model = Self.model(new) { builder in
                builder.attribute("Event.value").isOptional = false
                builder.attribute("Event.value").defaultValue = preset
            }
            #expect(
                try place.values(model, new)
                    == [NSNumber(value: 4), preset, NSNumber(value: 5)].map {
                        NumberPair.text(
                            new == .decimalAttributeType ? NSDecimalNumber(decimal: $0.decimalValue) : $0, new)
                    })
        }
    }

    // MARK: In a file of SQLite

    @Test("decimals of more digits than a file keeps are rounded, converted ones and defaults (MOD-15, MIG-10)")
    func roundedDecimals() throws {
        let place = try Place(.sqlite, Self.model(.doubleAttributeType), [0.12345678901234568, nil])
        let long = NSDecimalNumber(string: "0.1234567890123456789012345678901234567")
        let model = Self.model(.decimalAttributeType) { builder in
            builder.attribute("Event.value").isOptional = false
            builder.attribute("Event.value").defaultValue = long
        }
        try place.with(model) { context in
            for number in [long, NSDecimalNumber(string: "0.123456789012346")] {
                let found = try context.all("Event", NSPredicate(format: "value == %@", number))
                #expect(found.count == 2, "\(number)")
            }
        }
    }

    private func scene(
        _ type: NSAttributeType, _ values: [NSNumber?], options: [AnyHashable: Any] = [:]
    ) throws -> MigrationScene {
        try MigrationScene(Self.model(type), options: options) { context in
            for (number, value) in values.enumerated() {
                context.insert("Event", ["value": value, "name": "n\(number)"].compactMapValues { $0 })
            }
        }
    }

    @Test(
        "columns and indexes are those of a new store, and values stand in their rows as they do there (MIG-10)",
        arguments: NumberPair.all)
    func columnsAndIndexesAreThoseOfNewStore(pair: NumberPair) throws {
        let scene = try scene(pair.old, pair.fitting.map(\.before))
        try scene.with(Self.model(pair.new)) { _ in }
        let fresh = try MigrationScene(Self.model(pair.new)) { context in
            for (number, value) in pair.fitting.enumerated() {
                let attribute = pair.new
                let after: NSNumber =
                    attribute == .decimalAttributeType
                    ? NSDecimalNumber(string: value.after)
                    : [.doubleAttributeType, .floatAttributeType].contains(attribute)
                        ? NSNumber(value: Double(value.after) ?? 0) : NSNumber(value: Int64(value.after) ?? 0)
                context.insert("Event", ["value": after, "name": "n\(number)"])
            }
        }
        for sql in [
            "SELECT name, type FROM pragma_table_info('ZEVENT') ORDER BY name",
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name",
            "SELECT ZNAME, typeof(ZVALUE), ZVALUE FROM ZEVENT ORDER BY ZNAME",
        ] {
            let (found, wanted) = (try scene.rows(sql), try fresh.rows(sql))
            #expect(found == wanted, "\(sql)")
        }
        #expect(try scene.value("PRAGMA integrity_check")?.text == "ok")
    }

    @Test("a wider integer is a change of the model alone; the table is not written (MIG-10)")
    func widerIntegers() throws {
        let scene = try scene(.integer32AttributeType, [1, nil, 3])
        let table = "SELECT sql, rootpage FROM sqlite_master WHERE name = 'ZEVENT'"
        let before = try scene.rows(table)
        try scene.with(Self.model(.integer64AttributeType)) { _ in }
        #expect(try scene.rows(table) == before)
    }

    @Test("what another program has put there and no number is, or not finite, does not fit (MIG-10)")
    func foreignValues() throws {
        for (type, new, sql) in [
            (NSAttributeType.integer32AttributeType, NSAttributeType.integer16AttributeType, "'text'"),
            (.integer32AttributeType, .integer16AttributeType, "2.5"),
            (.floatAttributeType, .decimalAttributeType, "9e999"),
            (.doubleAttributeType, .floatAttributeType, "9e999"),
            (.doubleAttributeType, .integer64AttributeType, "x'00'"),
        ] {
            let scene = try scene(type, [1])
            try scene.change("UPDATE ZEVENT SET ZVALUE = \(sql)")
            let error = expectError(134110) { try scene.with(Self.model(new)) { _ in } }
            #expect(error?.userInfo["rows"] as? [String] == ["Event/p1"], "\(sql)")
        }
        let truth = try scene(.booleanAttributeType, [1])
        try truth.change("UPDATE ZEVENT SET ZVALUE = 7")
        try truth.with(Self.model(.integer16AttributeType)) { context in
            let found = try context.all("Event").map { $0.value(forKey: "value") as? Int }
            #expect(found == [1])
        }
    }

    @Test("numbers that become equal are refused where they must be unique, and nothing changes (MIG-02)")
    func numbersThatBecomeEqualAreRefusedWhereTheyMustBeUnique() throws {
        func model(_ type: NSAttributeType) -> NSManagedObjectModel {
            Self.model(type) { $0["Event"].uniquenessConstraints = [["value"]] }
        }
        func scene(_ values: [Double]) throws -> MigrationScene {
            try MigrationScene(model(.doubleAttributeType)) { context in
                for value in values { context.insert("Event", ["value": value]) }
            }
        }
        let doubled = try scene([0.1, 0.1 + 1e-12])
        let bytes = doubled.bytes
        expectError(134111) { try doubled.with(model(.floatAttributeType)) { _ in } }
        #expect(doubled.bytes[0] == bytes[0])
        #expect(try doubled.with(model(.doubleAttributeType)) { try $0.all("Event").count } == 2)
        let distinct = try scene([0.1, 0.2])
        try distinct.with(model(.floatAttributeType)) { context in
            context.insert("Event", ["value": 0.1])
            #expect(throws: (any Error).self) { try context.save() }
        }
        #expect(
            try distinct.value("SELECT count(*) FROM sqlite_master WHERE name = 'Z_Event_UNIQUE_value'")?.integer == 1)
    }

    @Test("history goes on over a conversion, and names the property that has changed (CTX-34)")
    func historyGoesOnOverConversion() throws {
        let tracked: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let scene = try scene(.doubleAttributeType, [1.5, 2.5], options: tracked)
        scene.options.merge(tracked) { $1 }
        try scene.with(Self.model(.doubleAttributeType)) { context in
            try context.all("Event").first?.setValue(9.5, forKey: "value")
            try context.save()
        }
        try scene.with(Self.model(.decimalAttributeType)) { context in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
            #expect(transactions.map { $0.changes?.count } == [2, 1])
            let names = transactions.last?.changes?.first?.updatedProperties?.map(\.name)
            #expect(names == ["value"])
        }
    }

    @Test("with loss refused numbers are not rounded; otherwise a number that fits is not a loss (MIG-09)")
    func refusedRounding() throws {
        let scene = try scene(.doubleAttributeType, [0.1])
        scene.options[CoreDataMigrationRefusesLossOption] = true
        let error = expectError(134190) { try scene.with(Self.model(.floatAttributeType)) { _ in } }
        #expect(error?.userInfo["items"] as? [String] == ["Event.value"])
        try scene.with(Self.model(.decimalAttributeType)) { context in
            let found = try context.all("Event").map { ($0.value(forKey: "value") as? NSDecimalNumber)?.stringValue }
            #expect(found == ["0.1"])
        }
    }

    @Test(
        "an inferred mapping model that goes through the objects converts and refuses alike (MIG-11)",
        arguments: [true, false])
    func inferredMapping(bySchema: Bool) throws {
        for (values, fits) in [([NSNumber(value: 3), 4], true), ([3, 0.5], false)] as [([NSNumber], Bool)] {
            let (old, new) = (Self.model(.doubleAttributeType), Self.model(.integer16AttributeType))
            let scene = try scene(.doubleAttributeType, values)
            let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
            manager.usesStoreSpecificMigrationManager = bySchema
            let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
            let target = scene.url.deletingLastPathComponent().appendingPathComponent("New.sqlite")
            func migrate() throws {
                try manager.migrateStore(from: scene.url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
            }
            guard fits else {
                let error = expectError(134110) { try migrate() }
                #expect((error?.userInfo["rows"] as? [String])?.count == 1)
                #expect(!FileManager.default.fileExists(atPath: target.path))
                continue
            }
            try migrate()
            let stack = try Stack(new, url: target)
            #expect(
                try stack.context.all("Event", sortedBy: "name").map { $0.value(forKey: "value") as? Int } == [3, 4])
        }
    }
}

extension MigrationScene {
    /// Changes the file as another program does.
    func change(_ sql: String) throws {
        let connection = try Connection.open(url.path)
        defer { connection.close() }
        try connection.execute(sql)
    }
}
