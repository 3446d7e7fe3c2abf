import CoreData
import Foundation
import StoreContract
import TestServers
import Testing

/// Composite attributes on a server: their elements in columns, asked for, set one by one, and migrated.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(10)))
struct ServerCompositeTests {
    private static func element(
        _ name: String, _ type: NSAttributeType = .doubleAttributeType, was identifier: String? = nil,
        preset: Any? = nil
    ) -> NSAttributeDescription {
        let element = NSAttributeDescription()
        (element.name, element.attributeType, element.isOptional) = (name, type, true)
        (element.renamingIdentifier, element.defaultValue) = (identifier, preset)
        return element
    }

    private static func model(_ elements: [NSAttributeDescription]) -> NSManagedObjectModel {
        ServerScene.model { temporary in
            temporary.entity("Paint", ["name": .stringAttributeType])
            let color = NSCompositeAttributeDescription()
            (color.name, color.isOptional, color.elements) = ("color", true, elements)
            temporary["Paint"].properties.append(color)
        }
    }

    private static var first: NSManagedObjectModel {
        model([element("red"), element("green"), element("label", .stringAttributeType)])
    }

    private static func fill(_ context: NSManagedObjectContext) {
        let color: [String: Any] = ["red": 0.5, "green": 0.25, "label": "moss"]
        context.insert("Paint", ["name": "a", "color": color])
        context.insert("Paint", ["name": "b"])
        context.insert("Paint", ["name": "c", "color": ["label": "x"]])
    }

    @Test("Elements have columns, filter, sort, and are set by key path")
    func elementsAreKept() throws {
        let scene = try ServerScene(Self.first) { Self.fill($0) }
        try scene.with(Self.first) { context in
            func names(_ format: String, by key: String = "name") throws -> [String] {
                try context.all("Paint", NSPredicate(format: format), sortedBy: key, "name")
                    .compactMap { $0.value(forKey: "name") as? String }
            }
            #expect(try names("color == nil") == ["b"] && names("color != nil") == ["a", "c"])
            #expect(try names("color.red > 0.3") == ["a"] && names("color.red == nil") == ["b", "c"])
            #expect(try names("color.label != nil", by: "color.label") == ["a", "c"])
            let paint = try #require(try context.all("Paint", NSPredicate(format: "name == 'b'")).first)
            paint.setValue(0.75, forKeyPath: "color.green")
            try context.save()
        }
        #expect(try scene.ask("SELECT ZGREEN::text FROM ZPAINT WHERE ZNAME = 'b' AND ZRED IS NULL") == ["0.75"])
    }

    @Test("elements are added, renamed and removed, and come back (MIG-15)")
    func elementsAreMigrated() throws {
        let scene = try ServerScene(Self.first) { Self.fill($0) }
        scene.options[CoreDataMigrationKeepsValuesOption] = true
        let second = Self.model([
            Self.element("rouge", was: "red"), Self.element("blue", preset: 0.125),
            Self.element("label", .stringAttributeType),
        ])
        func color(_ name: String, _ context: NSManagedObjectContext) throws -> [String: Any]? {
            let paint = try context.all("Paint", NSPredicate(format: "name == %@", name)).first
            return paint?.value(forKey: "color") as? [String: Any]
        }
        try scene.with(second) { context in
            let a = try color("a", context)
            #expect(a?["rouge"] as? Double == 0.5 && a?["blue"] as? Double == 0.125 && a?["label"] as? String == "moss")
            #expect(try a?["green"] == nil && color("b", context) == nil)
            #expect(try color("c", context)?["blue"] as? Double == 0.125)
        }
        try scene.with(Self.first) { context in
            let a = try color("a", context)
            #expect(a?["red"] as? Double == 0.5 && a?["green"] as? Double == 0.25 && a?["label"] as? String == "moss")
            #expect(try color("b", context) == nil)
        }
    }
}
