import CoreData
import Testing

@testable import CoreDataKinds

/// Attributes and values of tests.
enum KindTexts {
    static func attribute(_ name: String, _ type: NSAttributeType = .stringAttributeType, kind: [String: String] = [:])
        -> NSAttributeDescription
    {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        if !kind.isEmpty { attribute.userInfo = kind }
        return attribute
    }

    static func entity(_ properties: [NSPropertyDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = "Thing"
        entity.properties = properties
        return entity
    }

    /// What a kind says of one value.
    static func reading(_ kind: String, _ value: Any, parameters: [String: String] = [:]) throws -> KindReading {
        let found = try #require(KindRegistry.kind(kind))
        var use = KindUse(kind: kind, key: "value", origin: .model)
        use.parameters = parameters
        return found.reading(KindValues(["value": value]), use)
    }

    /// The stored value of an entered text.
    static func value(
        _ kind: String, _ text: String, _ type: NSAttributeType = .stringAttributeType,
        parameters: [String: String] = [:]
    ) throws -> Any? {
        let found = try #require(KindRegistry.kind(kind))
        var use = KindUse(kind: kind, key: "value", origin: .model)
        use.parameters = parameters
        return try found.value(of: text, for: attribute("value", type), use)
    }
}
