import CoreDataModelCompiler

/// How the value of a variable of a model class is stored, as far as sources show its type.
indirect enum SourceKind {
    /// As an attribute of a simple type.
    case simple(NSAttributeType)
    /// As a list of simple values, by the secure transformer; with the type of the elements.
    case list(String)
    /// As text of JSON, in bytes.
    case encoded
    case composite(SourceComposite)
    case toOne([String])
    case toMany([String])
    /// Not known, or not possible; with the reason.
    case unknown(String)
}

/// A structure or an enumeration whose values are stored as elements of a composite attribute.
struct SourceComposite {
    struct Element {
        /// Nil for the only element of an enumeration with raw values, which has the name of its attribute.
        let name: String?
        let kind: SourceKind
        let isOptional: Bool
    }

    let name: String
    let isEnumeration: Bool
    let elements: [Element]
}

/// A type with whether it is optional.
struct SourceType {
    let kind: SourceKind
    let isOptional: Bool
}
