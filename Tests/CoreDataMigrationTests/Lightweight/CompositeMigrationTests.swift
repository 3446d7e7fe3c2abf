import CoreData
import StoreContract
import TestBasics
import Testing

/// What inference does to composite attributes: whole ones, and single elements.
@Suite struct CompositeMigrationTests {
    private struct Element {
        var name: String
        var type = NSAttributeType.doubleAttributeType
        var identifier: String?
        var preset: Any?
        var isOptional = true
    }

    private static func composite(
        _ name: String, _ elements: [Element], identifier: String? = nil
    ) -> NSCompositeAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        (composite.name, composite.isOptional) = (name, true)
        composite.renamingIdentifier = identifier
        composite.elements = elements.map { element in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (element.name, element.type)
            attribute.isOptional = element.isOptional
            attribute.renamingIdentifier = element.identifier
            attribute.defaultValue = element.preset
            return attribute
        }
        return composite
    }

    private static var color: [Element] {
        [Element(name: "red"), Element(name: "green"), Element(name: "label", type: .stringAttributeType)]
    }

    private static func model(_ composites: NSCompositeAttributeDescription...) -> NSManagedObjectModel {
        MigrationScene.model { temporary in
            temporary.entity("Paint", ["name": .stringAttributeType, "label": .stringAttributeType])
            temporary["Paint"].properties += composites
        }
    }

    /// Two paints, one without a colour, in a store of a kind; then what the other model finds there.
    private func migrated(
        _ kind: StoreKind, _ old: NSManagedObjectModel, to models: NSManagedObjectModel...,
        key: String = "color", then check: ([String: [String: Any]]) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Test.store")
        do {
            let stack = try Stack(old, url: url, kind: kind)
            let color: [String: Any] = ["red": 0.5, "green": 0.25, "label": "moss"]
            stack.context.insert("Paint", ["name": "a", "label": "outer", "color": color])
            stack.context.insert("Paint", ["name": "b"])
            try stack.context.save()
            try stack.coordinator.remove(stack.store)
        }
        // Stores of XML and binary ones keep no model: the versions are among the resources.
        let resources = try TemporaryFolder()
        for (number, version) in ([old] + models).enumerated() {
            try version.compiledData().write(to: resources.url.appendingPathComponent("Version \(number).mom"))
        }
        let own: [AnyHashable: Any] = [
            CoreDataMigrationResourcesOption: [resources.url], CoreDataMigrationKeepsValuesOption: true,
        ]
        let options = MigrationScene.automatic.merging(own) { $1 }
        for (number, model) in models.enumerated() {
            let stack = try Stack(model, url: url, kind: kind, options: options)
            defer { try? stack.coordinator.remove(stack.store) }
            guard number == models.count - 1 else { continue }
            var found: [String: [String: Any]] = [:]
            for object in try stack.context.all("Paint") {
                let name = try #require(object.value(forKey: "name") as? String)
                #expect(object.value(forKey: "label") as? String == (name == "a" ? "outer" : nil))
                found[name] = object.value(forKey: key) as? [String: Any]
            }
            try check(found)
        }
    }

    private static let kinds = [StoreKind.sqlite, .xml, .binary]

    @Test("elements are added, renamed by identifier and removed", arguments: kinds)
    func elementsChange(kind: StoreKind) throws {
        let after = Self.composite(
            "color",
            [
                Element(name: "rouge", identifier: "red"), Element(name: "blue", preset: 0.125),
                Element(name: "label", type: .stringAttributeType),
            ])
        try migrated(kind, Self.model(Self.composite("color", Self.color)), to: Self.model(after)) { found in
            #expect(found["a"]?["rouge"] as? Double == 0.5)
            #expect(found["a"]?["label"] as? String == "moss")
            #expect(found["a"]?["green"] == nil && found["a"]?["red"] == nil)
            #expect(found["a"]?["blue"] as? Double == 0.125)
            #expect(found["b"] == nil)
        }
    }

    @Test("a composite is renamed by its identifier, with its columns", arguments: kinds)
    func compositeIsRenamed(kind: StoreKind) throws {
        // The second composite takes the plain columns, since its name comes first.
        let renamed = Self.composite("shade", Self.color, identifier: "color")
        let before = Self.composite("accent", [Element(name: "red")])
        try migrated(
            kind, Self.model(Self.composite("color", Self.color)), to: Self.model(renamed, before), key: "shade"
        ) { found in
            #expect(found["a"]?["red"] as? Double == 0.5 && found["a"]?["label"] as? String == "moss")
            #expect(found["b"] == nil)
        }
    }

    @Test("a composite is added and removed", arguments: kinds)
    func compositeIsAddedAndRemoved(kind: StoreKind) throws {
        let first = Self.model(Self.composite("color", Self.color))
        let without = Self.model(Self.composite("place", [Element(name: "x", preset: 1)]))
        try migrated(kind, first, to: without, key: "place") { found in
            #expect(found["a"] == nil && found["b"] == nil)
        }
    }

    @Test("what was removed of a composite and kept is there again on the way back in SQLite", arguments: kinds)
    func removedComesBack(kind: StoreKind) throws {
        let isKept = kind.type == NSSQLiteStoreType
        let first = Self.model(Self.composite("color", Self.color))
        let without = Self.model(Self.composite("place", [Element(name: "x", preset: 1)]))
        try migrated(kind, first, to: without, Self.model(Self.composite("color", Self.color))) { found in
            #expect(found["a"]?["red"] as? Double == (isKept ? 0.5 : nil))
            #expect(found["a"]?["label"] as? String == (isKept ? "moss" : nil))
            #expect(found["b"] == nil)
        }
        let narrow = Self.model(Self.composite("color", [Element(name: "red")]))
        try migrated(kind, first, to: narrow, Self.model(Self.composite("color", Self.color))) { found in
            #expect(found["a"]?["red"] as? Double == 0.5)
            #expect(found["a"]?["green"] as? Double == (isKept ? 0.25 : nil))
            #expect(found["a"]?["label"] as? String == (isKept ? "moss" : nil))
            #expect(found["b"] == nil)
        }
        // The element comes back under another name, which its identifier explains.
        let vert = [Element(name: "red"), Element(name: "vert", identifier: "green")]
        try migrated(kind, first, to: narrow, Self.model(Self.composite("color", vert))) { found in
            #expect(found["a"]?["vert"] as? Double == (isKept ? 0.25 : nil))
        }
    }

    @Test("elements that become required get their default where the composite has a value", arguments: kinds)
    func elementBecomesRequired(kind: StoreKind) throws {
        let old = Self.model(Self.composite("color", Self.color + [Element(name: "depth")]))
        let required = Element(name: "depth", preset: 8, isOptional: false)
        try migrated(kind, old, to: Self.model(Self.composite("color", Self.color + [required]))) { found in
            #expect(found["a"]?["depth"] as? Double == 8 && found["a"]?["red"] as? Double == 0.5)
            #expect(found["b"] == nil)
        }
    }

    @Test("what is lost of a composite is named, with the identifier that would keep it")
    func lossesAreNamed() throws {
        let old = Self.model(Self.composite("color", Self.color))
        let label = Element(name: "label", type: .stringAttributeType)
        func losses(_ elements: [Element]) -> [(path: String, hint: String?)] {
            MigrationAnalysis(from: old, to: Self.model(Self.composite("color", elements))).losses
                .map { ($0.item.path, $0.hint) }
        }
        let renamed = losses([Element(name: "red"), Element(name: "vert"), label])
        #expect(renamed.map(\.path) == ["Paint.color.green"])
        #expect(renamed.first?.hint == "if 'vert' is the same, give it the renaming identifier 'green'")
        #expect(losses([label]).map(\.path) == ["Paint.color.red", "Paint.color.green"])
        let analysis = MigrationAnalysis(from: old, to: Self.model(Self.composite("shade", Self.color)))
        #expect(analysis.losses.first?.hint == "if 'shade' is the same, give it the renaming identifier 'color'")
        let other = MigrationAnalysis(from: old, to: Self.model(Self.composite("place", [Element(name: "x")])))
        #expect(other.losses.map(\.hint) == [nil])
    }

    @Test("an element's numbers get another type where they fit (MIG-10)", arguments: ConvertedNumberTests.kinds)
    func numbersOfElements(kind: StoreKind) throws {
        func model(_ type: NSAttributeType) -> NSManagedObjectModel {
            Self.model(
                Self.composite(
                    "color",
                    [
                        Element(name: "red", type: type), Element(name: "green", type: .floatAttributeType),
                        Element(name: "label", type: .stringAttributeType),
                    ]))
        }
        let old = Self.model(Self.composite("color", Self.color))
        try migrated(kind, old, to: model(.decimalAttributeType)) { found in
            #expect((found["a"]?["red"] as? NSDecimalNumber)?.stringValue == "0.5")
            #expect(found["a"]?["green"] as? Double == 0.25 && found["a"]?["label"] as? String == "moss")
            #expect(found["b"] == nil)
        }
        let error = expectError(134110) { try migrated(kind, old, to: model(.integer16AttributeType)) { _ in } }
        #expect(error?.userInfo["attribute"] as? String == "color.red")
        #expect((error?.userInfo["rows"] as? [String])?.count == 1)
    }

    @Test("an element of another type, or one required without a default, is not inferred")
    func whatCannotBeInferred() throws {
        let old = Self.model(Self.composite("color", Self.color))
        func reason(_ elements: [Element]) -> String? {
            let error = #expect(throws: NSError.self) {
                try NSMappingModel.inferredMappingModel(
                    forSourceModel: old, destinationModel: Self.model(Self.composite("color", elements)))
            }
            return error?.userInfo["reason"] as? String
        }
        #expect(
            reason([Element(name: "red", type: .stringAttributeType)])
                == "the type of its element 'red' was Double and is String, and inference converts no such values")
        #expect(
            reason([Element(name: "red"), Element(name: "blue", isOptional: false)])
                == "its element 'blue' is new and required")
        #expect(
            reason([Element(name: "red", isOptional: false)])
                == "its element 'red' was optional and is required, and has no default value")
    }
}
