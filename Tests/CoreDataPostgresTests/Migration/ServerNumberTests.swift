import CoreData
import PostgresKit
import StoreContract
import TestBasics
import TestServers
import Testing
import VersionSketches

/// Attributes that get another type of numbers in a store on a server: the same fit, and become the same, as in files.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(10)))
struct ServerNumberTests {
    private static let pairs = NumberPair.all

    /// One attribute for each pair, `p0` and so on, of the old type or of the new one.
    private static func model(
        new: Bool, only: Int? = nil, _ change: (ModelBuilder) -> Void = { _ in }
    ) -> NSManagedObjectModel {
        ServerScene.model { builder in
            builder.entity("Event", ["name": .stringAttributeType])
            builder.entity("Late", in: "Event", ["other": .stringAttributeType])
            for (number, pair) in pairs.enumerated() {
                let attribute = NSAttributeDescription()
                (attribute.name, attribute.isOptional) = ("p\(number)", true)
                attribute.attributeType = new && (only ?? number) == number ? pair.new : pair.old
                builder["Event"].properties.append(attribute)
            }
            change(builder)
        }
    }

    @Test("numbers of every pair of types are converted, and no value stays none (MIG-10)")
    func everyPair() throws {
        let count = Self.pairs.map(\.fitting.count).max() ?? 0
        let scene = try ServerScene(Self.model(new: false)) { context in
            for row in 0...count {
                let object = context.insert(row % 2 == 0 ? "Event" : "Late", ["name": "\(row)"])
                for (number, pair) in Self.pairs.enumerated() where row < pair.fitting.count {
                    object.setValue(pair.fitting[row].before, forKey: "p\(number)")
                }
            }
        }
        try scene.with(Self.model(new: true)) { context in
            let objects = try context.all("Event", sortedBy: "name")
            for (number, pair) in Self.pairs.enumerated() {
                let found = objects.map { NumberPair.text($0.value(forKey: "p\(number)"), pair.new) }
                let after = pair.fitting.map(\.after)
                #expect(found == after + Array(repeating: "nil", count: found.count - after.count), "\(pair)")
                let request = NSFetchRequest<NSManagedObject>(entityName: "Event")
                for object in objects {
                    guard let value = object.value(forKey: "p\(number)") else { continue }
                    request.predicate = NSPredicate(format: "%K == %@", argumentArray: ["p\(number)", value])
                    #expect(try context.fetch(request).contains(object), "\(pair)")
                }
            }
        }
        let (found, fresh) = (try scene.shape(), try ServerScene(Self.model(new: true)).shape())
        #expect(found == fresh)
    }

    @Test("a number that does not fit refuses the migration and names its row; nothing changes (MIG-10)")
    func everyRefusal() throws {
        let scene = try ServerScene(Self.model(new: false)) { context in
            context.insert("Event", ["name": "a"])
            context.insert("Late", ["name": "b"])
        }
        let shape = try scene.shape()
        for (number, pair) in Self.pairs.enumerated() {
            var misfits = pair.misfits
            if pair.old == .decimalAttributeType { misfits.append(NSDecimalNumber.notANumber) }
            for misfit in misfits {
                try scene.with(Self.model(new: false), options: [:]) { context in
                    try #require(try context.all("Late").first).setValue(misfit, forKey: "p\(number)")
                    try context.save()
                }
                let error = expectError(134110) { try scene.with(Self.model(new: true, only: number)) { _ in } }
                #expect(error?.userInfo["attribute"] as? String == "p\(number)", "\(pair) \(misfit)")
                #expect(error?.userInfo["count"] as? Int == 1)
                #expect((error?.userInfo["rows"] as? [String])?.allSatisfy { $0.hasPrefix("Late/p") } == true)
                let kept = try scene.with(Self.model(new: false), options: [:]) { context in
                    let object = try #require(try context.all("Late").first)
                    let value = NumberPair.text(object.value(forKey: "p\(number)"), pair.old)
                    object.setValue(nil, forKey: "p\(number)")
                    try context.save()
                    return value
                }
                #expect(kept == NumberPair.text(misfit, pair.old))
            }
        }
        #expect(try scene.shape() == shape)
        let count = try scene.with(Self.model(new: true)) { try $0.all("Event").count }
        #expect(count == 2)
    }

    @Test("what is not finite fits no other type but Double, nor what no decimal of Core Data is (MIG-10)")
    func foreignValues() throws {
        for (number, pair) in Self.pairs.enumerated() {
            let values: [String] =
                switch (pair.old, pair.new) {
                case (.floatAttributeType, .doubleAttributeType): []
                case (.floatAttributeType, _), (.doubleAttributeType, _): ["'NaN'", "'Infinity'", "'-Infinity'"]
                case (.decimalAttributeType, _): ["1e400", "1e-400"]
                default: []
                }
            guard !values.isEmpty else { continue }
            let scene = try ServerScene(Self.model(new: false)) { $0.insert("Event", ["name": "a"]) }
            for value in values {
                try scene.ask("UPDATE zevent SET zp\(number) = \(value)")
                expectError(134110) { try scene.with(Self.model(new: true, only: number)) { _ in } }
            }
        }
    }

    @Test("numbers of tombstones become those of the new types; what does not fit is left out (CTX-34, MIG-10)")
    func numbersOfTombstones() throws {
        var options: [AnyHashable: Any] = ServerScene.automatic
        options[NSPersistentHistoryTrackingKey] = true
        let scene = try ServerScene(DeletedNumbers.model(new: false), options: options, DeletedNumbers.fill)
        let faults = try scene.with(DeletedNumbers.model(new: true), options: options) {
            try DeletedNumbers.faults($0)
        }
        #expect(faults == [])
    }

    @Test("numbers that become equal are refused where they must be unique; a default fills what has no value (MIG-02)")
    func uniquenessAndDefaults() throws {
        func model(_ type: NSAttributeType, isUnique: Bool) -> NSManagedObjectModel {
            ServerScene.model { builder in
                builder.entity("Event", ["value": type])
                if isUnique { builder["Event"].uniquenessConstraints = [["value"]] }
                guard type == .decimalAttributeType else { return }
                builder.attribute("Event.value").isOptional = false
                builder.attribute("Event.value").defaultValue = NSDecimalNumber(string: "2.5")
            }
        }
        let scene = try ServerScene(model(.doubleAttributeType, isUnique: true)) { context in
            for value in [0.1, 0.100000000001] { context.insert("Event", ["value": value]) }
        }
        expectError(134111) { try scene.with(model(.floatAttributeType, isUnique: true)) { _ in } }
        try scene.with(model(.doubleAttributeType, isUnique: true), options: [:]) { context in
            #expect(try context.all("Event").count == 2)
            context.insert("Event")
            try context.save()
        }
        try scene.with(model(.decimalAttributeType, isUnique: true)) { context in
            let found = try context.all("Event", sortedBy: "value").map {
                ($0.value(forKey: "value") as? NSDecimalNumber)?.stringValue
            }
            #expect(found == ["0.1", "0.100000000001", "2.5"])
        }
    }
}
