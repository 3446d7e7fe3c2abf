import CoreData
import CoreDataSourcePorting
import Foundation
import TestBasics
import Testing

/// What the reader of model classes sees, infers and refuses.
@Suite struct ScannedSourceTests {
    private func scan(_ sources: String...) throws -> ModelClassScan {
        let folder = try Fixtures.temporaryFolder()
        for (number, text) in sources.enumerated() {
            try Data(text.utf8).write(to: folder.appending(path: "S\(number).swift"))
        }
        return try ModelClassScan(of: [folder.path])
    }

    private func attributes(_ body: String) throws -> [String: NSAttributeDescription] {
        let scan = try scan("@Model final class A {\n\(body)\n}")
        return try #require(scan.versions.first?.model.entitiesByName["A"]).attributesByName
    }

    @Test func typesAreInferredFromValues() throws {
        let all = try attributes(
            """
            var a = 1, b = "x"
            var count = -3
            var ratio = 0.5
            var name = "a\\nb"
            var isOn = true
            var made = Date()
            var now = Date.now
            var key = UUID()
            var site = URL(string: "https://example.org")!
            var page = URL(string: "https://example.org")
            var price = Decimal(string: "1.25") ?? 0
            var words = ["a", "b"]
            var tags = [String]()
            var kind = Kind.small
            var place = Place(x: 1)
            enum Kind: String, Codable { case small, large }
            struct Place: Codable { var x, y: Double; static let zero = 0; var sum: Double { x + y } }
            """)
        #expect(all["a"] == nil && all["b"] == nil)
        #expect(all["count"]?.attributeType == .integer64AttributeType && all["count"]?.defaultValue as? Int == -3)
        #expect(all["ratio"]?.defaultValue as? Double == 0.5 && all["name"]?.defaultValue as? String == "a\nb")
        #expect(all["isOn"]?.attributeType == .booleanAttributeType && all["isOn"]?.isOptional == false)
        #expect(all["made"]?.attributeType == .dateAttributeType && all["now"]?.attributeType == .dateAttributeType)
        #expect(all["key"]?.attributeType == .UUIDAttributeType)
        #expect(all["site"]?.attributeType == .URIAttributeType && all["site"]?.isOptional == false)
        #expect(all["page"]?.isOptional == true)
        #expect(all["price"]?.defaultValue as? NSDecimalNumber == NSDecimalNumber(string: "1.25"))
        #expect(all["words"]?.attributeValueClassName == "Array<String>")
        #expect(all["tags"]?.attributeType == .transformableAttributeType)
        let kind = try #require(all["kind"] as? NSCompositeAttributeDescription)
        #expect(kind.elements.map(\.name) == ["kind"] && kind.elements[0].isOptional)
        let place = try #require(all["place"] as? NSCompositeAttributeDescription)
        #expect(place.elements.map(\.name) == ["x", "y"] && place.elements.allSatisfy { !$0.isOptional })
    }

    @Test func variablesThatNoStoreKeepsAreLeftOut() throws {
        let all = try attributes(
            """
            @Transient var scratch = 1
            static var shared = 2
            var title: String { "t" }
            let constant = 3
            let given: Int
            var watched = 4 { didSet {} }
            init(given: Int) { self.given = given }
            """)
        #expect(all.keys.sorted() == ["given", "watched"])
    }

    @Test func extensionsAliasesAndOtherFilesAreSeen() throws {
        let scan = try scan(
            "@Model final class A { var kind: Kind; var length: Meters; var b: Outer.B? ; var level: Level? }",
            """
            typealias Meters = Double
            extension A { enum Kind: Int { case one } }
            extension A.Kind: Codable {}
            enum Outer {}
            extension Outer { @SwiftData.Model final class B { var a: A? } }
            struct Level: RawRepresentable, Codable { let rawValue: Int16 }
            """)
        let model = try #require(scan.versions.first).model
        let a = try #require(model.entitiesByName["A"])
        #expect(scan.findings.isEmpty, "\(scan.findings)")
        #expect(a.attributesByName["length"]?.attributeType == .doubleAttributeType)
        #expect(a.attributesByName["kind"] is NSCompositeAttributeDescription)
        let level = try #require(a.attributesByName["level"] as? NSCompositeAttributeDescription)
        #expect(level.elements.map(\.attributeType) == [.integer16AttributeType])
        #expect(a.relationshipsByName["b"]?.inverseRelationship?.name == "a")
    }

    @Test func inheritanceOfModelsIsThatOfEntities() throws {
        let scan = try scan("@Model class A { var x = 1 }\n@Model final class B: A { var y = 2 }")
        let b = try #require(scan.versions.first?.model.entitiesByName["B"])
        #expect(b.superentity?.name == "A" && b.attributesByName.keys.sorted() == ["x", "y"])
    }

    @Test func conditionsOfOtherPlatformsAreLeftOut() throws {
        let scan = try scan(
            """
            #if canImport(UIKit)
            @Model final class A { var x = 1 }
            #else
            @Model final class A { var y = 1 }
            #endif
            """)
        #expect(scan.versions.first?.model.entitiesByName["A"]?.attributesByName.keys.sorted() == ["y"])
    }

    @Test func whatCannotBeReadIsReportedAtItsPlace() throws {
        let scan = try scan(
            """
            @Model final class A {
                var color: Color
                var made = compute()
                var action: (Int) -> Void
                var shape: Shape
                @Attribute(originalName: oldName) var x = 1
                @Relationship(inverse: \\B.none) var b: B?
                var later = Date()
                enum Shape: Codable { case circle(Double) }
            }
            @Model final class B { var a: A? }
            """)
        let lines = scan.findings.map { "\($0.finding.line): \($0.finding.message)" }.sorted().joined(separator: "\n")
        for part in [
            "2: 'A.color' is left out: the type Color is not declared in these sources",
            "3: 'A.made' is left out: its type cannot be seen", "4: 'A.action' is left out: no attribute can have",
            "5: 'A.shape' is left out: the case 'circle' of Shape has associated values",
            "6: 'A.x' has the argument oldName", "7: 'A.b' names the inverse 'none'",
            "8: 'A.later' begins with Date(), which a model cannot say",
        ] { #expect(lines.contains(part), "\(lines)") }
        #expect(scan.omissions == 6)
    }

    @Test func hostileSourcesAreFindings() throws {
        let alias = "typealias A = B\ntypealias B = A\n@Model final class M { var a: A; var s: S }"
        let scan = try scan(
            alias + "\nstruct S: Codable { var s: [S]; var t: S? }", "@Model final class {",
            String(repeating: "enum E {", count: 5_000))
        #expect(scan.versions.first?.model.entitiesByName["M"] != nil)
        #expect(scan.findings.count >= 3, "\(scan.findings)")
    }

    @Test func aPathWithoutAFileIsAnError() {
        #expect(throws: (any Error).self) { try ModelClassScan(of: ["/nowhere/at/all.swift"]) }
    }
}
