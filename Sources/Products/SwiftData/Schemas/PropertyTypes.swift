import Foundation

/// An optional type, for those who have it as a value.
protocol OptionalType {
    static var wrapped: Any.Type { get }
    /// The value, or nil, without the type of the optional.
    var unwrapped: Any? { get }
}

extension Optional: OptionalType {
    static var wrapped: Any.Type { Wrapped.self }
    var unwrapped: Any? { map { $0 } }
}

/// A type of relationships: a model, several models, or the optional of one.
protocol RelationshipType {}

extension Optional: RelationshipType where Wrapped: RelationshipType {}

/// Several models, as the type of a property.
public protocol RelationshipCollection {
    /// The class of the models.
    associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
    public typealias PersistentElement = Element
}

extension RelationshipCollection {
    static var elementType: any PersistentModel.Type { PersistentElement.self }
}

/// Returns a value without the optionals around it; nil for nil.
func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    guard type(of: value) is any OptionalType.Type else { return value }
    return unwrapped((value as? any OptionalType)?.unwrapped)
}

/// How the value of a property is stored.
enum PropertyKind {
    /// As an attribute of a simple type.
    case simple(any PersistentValue.Type)
    /// As an attribute that groups others.
    case composite(CompositePlan)
    /// As text of JSON, in bytes.
    case encoded(any Codable.Type)
    /// As a transformer makes it; nil for the secure one, which has lists of simple values.
    case transformed(String?)
    case toOne(any PersistentModel.Type)
    case toMany(any PersistentModel.Type)
    /// Not at all.
    case unsupported

    /// The kind for a type that is not optional; `name` is the property's, which the element of an enumeration has too.
    init(of type: Any.Type, name: String) {
        if let model = type as? any PersistentModel.Type {
            self = .toOne(model)
        } else if let collection = type as? any RelationshipCollection.Type {
            self = .toMany(collection.elementType)
        } else if let simple = type as? any PersistentValue.Type {
            self = .simple(simple)
        } else if let list = type as? any SimpleList.Type, list.isSimple {
            self = .transformed(nil)
        } else if type is any CollectionType.Type, let codable = type as? any Codable.Type {
            self = .encoded(codable)
        } else if let plan = CompositePlan.of(type, name: name) {
            self = .composite(plan)
        } else if let codable = type as? any Codable.Type {
            self = .encoded(codable)
        } else {
            self = .unsupported
        }
    }
}

/// A collection of the standard library.
protocol CollectionType {}
extension Array: CollectionType {}
extension Set: CollectionType {}
extension Dictionary: CollectionType {}

/// An array whose elements may be simple values.
protocol SimpleList {
    static var isSimple: Bool { get }
}

extension Array: SimpleList {
    static var isSimple: Bool { Element.self is any PersistentValue.Type && !(Element.self is any OptionalType.Type) }
}
