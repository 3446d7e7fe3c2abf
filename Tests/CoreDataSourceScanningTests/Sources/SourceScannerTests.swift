import CoreDataSourceScanning
import Testing

@Suite struct SourceScannerTests {
    private func scan(_ source: String, conditions: Set<String> = []) -> ScannedFile {
        SourceScanner(conditions: conditions).scan(source, file: "/a/b/Hero.swift")
    }

    @Test("managed properties are found with their types, accesses and places")
    func managedPropertiesAreFoundWithTheirTypes() throws {
        let file = scan(
            """
            import Foundation
            import struct CoreData.NSManagedObject
            @objc(Hero) open class Hero: NSManagedObject, Codable {
                @NSManaged public internal(set) var name: String?
                @NSManaged private var a, b: Set<Power>?
                var computed: Int { 1 }
                let plain = 3
                class Inner<T>: NSManagedObject { @NSManaged var `class`: [String: [Int]] }
            }
            """)
        let hero = try #require(file.types.first)
        #expect(file.name == "Hero.swift" && file.findings.isEmpty)
        #expect(file.imports == ["import Foundation", "import struct CoreData.NSManagedObject"])
        #expect(hero.name == "Hero" && hero.kind == .class && hero.access == .open)
        #expect(hero.inherited == ["NSManagedObject", "Codable"])
        #expect(hero.properties.map(\.name) == ["name", "a", "b"])
        #expect(hero.properties.map(\.type) == ["String?", "Set<Power>?", "Set<Power>?"])
        #expect(hero.properties.map(\.access) == [.public, .private, .private])
        #expect(hero.properties.map(\.settingAccess) == [.internal, .private, .private])
        #expect(hero.properties[0].place == CodePlace(file: "/a/b/Hero.swift", line: 4, column: 41))
        #expect(hero.types.map(\.name) == ["Inner"] && hero.types[0].parameters == ["T"])
        #expect(hero.types[0].properties.map(\.name) == ["class"])
    }

    @Test("methods, extensions and aliases are found") func methodsExtensionsAndAliasesAreFound() {
        let file = scan(
            """
            public extension Outer.Hero {
                @objc(addPowersObject:) @NSManaged func addToPowers(_ value: Power)
                @NSManaged private func insertIntoItems(_ value: Item, at idx: Int)
                typealias Names = [String]
            }
            """)
        #expect(file.types.map(\.kind) == [.extension] && file.types[0].name == "Outer.Hero")
        #expect(file.types[0].methods.map(\.fullName) == ["addToPowers(_:)", "insertIntoItems(_:at:)"])
        #expect(file.types[0].methods.map(\.access) == [.public, .private])
        #expect(file.types[0].methods[1].parameters.map(\.type) == ["Item", "Int"])
        #expect(file.types[0].types.map(\.kind) == [.alias(of: "[String]")])
    }

    @Test("conditions are those of a build without Objective-C") func conditionsAreThoseOfBuildWithoutObjectiveC() {
        let source = """
            #if canImport(ObjectiveC)
            class A { @NSManaged var apple: Int }
            #elseif os(Linux) || os(Windows)
            class A {
                #if DEBUG && !OTHER
                @NSManaged var debugged: Int
                #else
                @NSManaged var released: Int
                #endif
            }
            #endif
            """
        #expect(scan(source, conditions: ["DEBUG"]).types.flatMap(\.properties).map(\.name) == ["debugged"])
        #expect(scan(source).types.flatMap(\.properties).map(\.name) == ["released"])
    }

    @Test("a malformed property is refused with its place; malformed Swift is scanned without a crash")
    func malformedPropertyIsRefusedWithItsPlace() {
        let file = scan("class A {\n  @NSManaged var x\n  @NSManaged var (a, b): (Int, Int)\n}")
        #expect(file.findings.count == 2)
        #expect(file.findings[0].description.hasPrefix("/a/b/Hero.swift:2:18: error: An @NSManaged property"))
        #expect(scan("class { { } @NSManaged var var; extension }}} #if").findings.count == 1)
        #expect(scan(String(repeating: "class A {", count: 200)).types.count == 1)
        #expect(scan("").types.isEmpty)
    }
}
