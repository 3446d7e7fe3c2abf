import CoreData
import StoreContract

/// Records with a number that nobody changes, attributes of several types, and relationships with an inverse and without.
enum NodeModel {
    static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Node",
            [
                "number": .integer64AttributeType, "text": .stringAttributeType, "count": .integer64AttributeType,
                "blob": .binaryDataAttributeType,
            ])
        builder.relationship("Node.link", to: "Node")
        builder.relationships("Node.items*", "Node.owner")
        builder.relationships("Node.tags*", "Node.tagged*")
        return builder.model
    }

    /// What an attribute has for a number; now and then a large one.
    static func value(_ key: NodeKey, _ number: Int?) -> Any? {
        guard let number else { return nil }
        switch key {
        case .text: return "text \(number)"
        case .blob: return Data("\(number)".utf8) + (number % 8 == 0 ? Data(count: 120_000) : Data())
        default: return NSNumber(value: number)
        }
    }

    /// The number for what an attribute has; -1 for what is none of the test's values.
    static func number(_ key: NodeKey, _ value: Any?) -> Int? {
        switch value {
        case nil, is NSNull: return nil
        case let text as String: return text.hasPrefix("text ") ? Int(text.dropFirst(5)) ?? -1 : -1
        case let data as Data:
            let number = Int(String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)) ?? -1
            return data == Self.value(.blob, number) as? Data ? number : -1
        case let number as NSNumber: return number.intValue
        default: return -1
        }
    }
}
