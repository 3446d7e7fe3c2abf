import CoreDataFoundation

extension NSPropertyDescription: KeyValueCoding {
    /// The keys by which predicates read a property's description, as in `$FETCHED_PROPERTY.userInfo.limit`.
    public var codedKeys: [String] {
        ["entity", "isOptional", "isTransient", "name", "renamingIdentifier", "userInfo", "versionHashModifier"]
    }

    /// The value of a key.
    ///
    /// - Throws: `UnknownKeyError` for a key that is not among `codedKeys`.
    public func codedValue(forKey key: String) throws -> Any? {
        switch key {
        case "entity": entity
        case "isOptional", "optional": isOptional
        case "isTransient", "transient": isTransient
        case "name": name
        case "renamingIdentifier": renamingIdentifier
        case "userInfo": Self.named(userInfo)
        case "versionHashModifier": versionHashModifier
        default: throw unknownKey(key)
        }
    }

    /// The entries of a user info with string keys, which a key path can name.
    fileprivate static func named(_ userInfo: [AnyHashable: Any]?) -> [String: Any] {
        let named = (userInfo ?? [:]).compactMap { key, value in (key.base as? String).map { ($0, value) } }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }
}

extension NSEntityDescription: KeyValueCoding {
    /// The keys by which predicates read an entity's description.
    public var codedKeys: [String] {
        ["isAbstract", "managedObjectClassName", "name", "renamingIdentifier", "superentity", "userInfo"]
    }

    /// The value of a key.
    ///
    /// - Throws: `UnknownKeyError` for a key that is not among `codedKeys`.
    public func codedValue(forKey key: String) throws -> Any? {
        switch key {
        case "isAbstract", "abstract": isAbstract
        case "managedObjectClassName": managedObjectClassName
        case "name": name
        case "renamingIdentifier": renamingIdentifier
        case "superentity": superentity
        case "userInfo": NSPropertyDescription.named(userInfo)
        default: throw unknownKey(key)
        }
    }
}
