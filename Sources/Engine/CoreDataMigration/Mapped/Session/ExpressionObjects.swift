import CoreDataGraph

/// Extracts managed objects from the value of an expression.
enum ExpressionObjects {
    /// The objects of a value: none for nil, one for an object, all for a collection; throws `failure` for anything
    /// else.
    static func objects(of value: Any?, _ failure: (Any) -> any Error) throws -> [NSManagedObject] {
        switch value {
        case nil, is NSNull: return []
        case let object as NSManagedObject: return [object]
        case let list as NSOrderedSet: return try list.array.map { try object($0, failure) }
        case let set as NSSet: return try set.allObjects.map { try object($0, failure) }
        case let list as [Any]: return try list.filter { !($0 is NSNull) }.map { try object($0, failure) }
        case let set as Set<AnyHashable>: return try set.map { try object($0.base, failure) }
        case let other?: throw failure(other)
        }
    }

    private static func object(_ value: Any, _ failure: (Any) -> any Error) throws -> NSManagedObject {
        guard let object = value as? NSManagedObject else { throw failure(value) }
        return object
    }
}
