import CoreDataModeling

/// One property of a class of managed objects, with the Swift type of its accessor.
package struct ClassProperty: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// An attribute of a type that the library reads from its slot; with the type as sources write it, `String?`.
        case attribute(String)
        /// An attribute whose values are of a class of the application; with the type without `?`.
        case object(String)
        /// A to-one relationship to an object of a class.
        case toOne(String)
        /// A to-many relationship to objects of a class.
        case toMany(String, isOrdered: Bool)
        /// A fetched property with objects of a class.
        case fetched(String)
    }

    /// The name in the model.
    package var key: String
    package var kind: Kind

    package init(key: String, kind: Kind) {
        self.key = key
        self.kind = kind
    }

    /// The Swift type of the property as Xcode writes it.
    package var type: String {
        switch kind {
        case .attribute(let type): type
        case .object(let type): type + "?"
        case .toOne(let target): target + "?"
        case .toMany(_, let isOrdered): isOrdered ? "NSOrderedSet?" : "NSSet?"
        case .fetched(let target): "[\(target)]"
        }
    }
}
