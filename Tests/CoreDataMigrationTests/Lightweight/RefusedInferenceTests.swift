import CoreData
import StoreContract
import TestBasics
import Testing

/// The errors of stores whose migration cannot be inferred: codes and reasons are those of Apple's framework.
@Suite struct RefusedInferenceTests {
    private static func model(
        _ type: NSAttributeType, _ change: (ModelBuilder) -> Void = { _ in }
    ) -> NSManagedObjectModel {
        MigrationScene.model { builder in
            builder.entity("Event", ["value": type, "name": .stringAttributeType])
            builder.entity("Late", in: "Event", ["other": .stringAttributeType])
            change(builder)
        }
    }

    private func scene(_ type: NSAttributeType, _ values: [NSNumber?]) throws -> MigrationScene {
        try MigrationScene(Self.model(type)) { context in
            for (number, value) in values.enumerated() {
                context.insert(number % 2 == 0 ? "Event" : "Late", ["value": value, "name": "\(number)"])
            }
        }
    }

    @Test("other types are 134140 with the error of inference beneath (MIG-10)")
    func otherTypes() throws {
        for (old, new) in [
            (NSAttributeType.integer16AttributeType, NSAttributeType.booleanAttributeType),
            (.stringAttributeType, .integer16AttributeType), (.dateAttributeType, .doubleAttributeType),
        ] {
            let scene = try scene(old, [nil])
            let error = expectError(134140) { try scene.with(Self.model(new)) { _ in } }
            #expect(error?.localizedFailureReason == "Can't find or automatically infer mapping model for migration")
            #expect(error?.userInfo["entity"] as? String == "Event")
            #expect(error?.userInfo["property"] as? String == "value")
            let cause = try #require(error?.userInfo[NSUnderlyingErrorKey] as? NSError)
            #expect(cause.code == 134190)
            #expect(cause.userInfo["property"] as? String == "value")
        }
    }

    @Test("a required attribute without a default is 134110, as the migration of its rows fails (MIG-07)")
    func requiredAttribute() throws {
        let scene = try scene(.integer16AttributeType, [1])
        let error = expectError(134110) {
            try scene.with(
                Self.model(.integer16AttributeType) { builder in
                    builder.entity("Other", ["x": .stringAttributeType])
                    builder["Event"].properties += LightweightMigrationTests.attributes(["must": .stringAttributeType])
                    builder.attribute("Event.must").isOptional = false
                }
            ) { _ in }
        }
        #expect(
            error?.localizedFailureReason
                == "Validation error missing attribute values on mandatory destination attribute")
        #expect(error?.userInfo["entity"] as? String == "Event")
        #expect(error?.userInfo["attribute"] as? String == "must")
    }

    @Test("134110 is for missing values alone; what no rule infers, and both together, are 134140 (MIG-10)")
    func codesByKind() throws {
        func model(_ change: (ModelBuilder) -> Void) -> NSManagedObjectModel {
            MigrationScene.model { builder in
                builder.entity("Event", ["value": .integer16AttributeType, "name": .stringAttributeType])
                builder.entity("Place", ["name": .stringAttributeType])
                change(builder)
            }
        }
        func related(_ name: String, _ change: @escaping (NSRelationshipDescription?) -> Void = { _ in })
            -> (ModelBuilder) -> Void
        {
            { builder in
                builder.relationships(name, "Place.events*")
                change(builder["Event"].relationshipsByName["place"])
            }
        }
        let required = related("Event.place") { $0?.isOptional = false }
        let cases: [(code: Int, old: (ModelBuilder) -> Void, new: (ModelBuilder) -> Void)] = [
            (134110, { _ in }, { $0.attribute("Event.value").isOptional = false }),
            (134110, related("Event.place"), required), (134140, related("Event.place*"), related("Event.place")),
            (
                134140, { _ in },
                { builder in
                    builder.attribute("Event.value").isOptional = false
                    builder.attribute("Event.name").attributeType = .dateAttributeType
                }
            ),
        ]
        for (number, item) in cases.enumerated() {
            let scene = try MigrationScene(model(item.old)) { $0.insert("Event", ["name": "a"]) }
            let bytes = scene.bytes
            let error = expectError(item.code) { try scene.with(model(item.new)) { _ in } }
            #expect((error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 134190, "case \(number)")
            #expect(scene.bytes == bytes, "case \(number)")
        }
    }
}
