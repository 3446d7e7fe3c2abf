extension NSKeyedArchiver {
    /// The archive of a predicate, an expression or a sort descriptor, with Apple's class names and keys.
    ///
    /// - Throws: an `NSError` `coderInvalidValue` for what cannot be archived: blocks and comparators in Swift, Swift
    ///   key paths without a name, and constants of classes that are not Foundation's plain values.
    public static func archivedData<Part: NSObject & NamedArchiving>(
        withRootObject part: Part, requiringSecureCoding: Bool
    ) throws -> Data {
        try written { try PartArchive.data(of: part) }
    }

    /// The archive of a list of predicates, expressions or sort descriptors, with Apple's class names and keys.
    ///
    /// - Throws: as for a single one.
    public static func archivedData<Part: NSObject & NamedArchiving>(
        withRootObject parts: [Part], requiringSecureCoding: Bool
    ) throws -> Data {
        try written { try PartArchive.data(of: parts) }
    }

    private static func written(_ body: () throws -> Data) throws -> Data {
        do { return try body() } catch let error as ArchiveError { throw error.asNSError(.coderInvalidValue) }
    }
}

extension NSKeyedUnarchiver {
    /// The predicate, expression or sort descriptor in an archive of Apple's or this framework; nil for an archive of
    /// nil.
    ///
    /// The bytes may be from an untrusted source: depth and size are bounded, no class or selector in them is looked
    /// up, and only predefined functions are accepted.
    /// - Throws: an `NSError` `coderReadCorrupt` for bytes that are refused and for an object of another class.
    public static func unarchivedObject<Part: NSObject & NSCoding & NamedArchiving>(
        ofClass kind: Part.Type, from data: Data
    ) throws -> Part? {
        try read {
            guard let part = try PartArchive.part(kind, in: data) else { return nil }
            return try same(part, kind)
        }
    }

    /// The predicates, expressions or sort descriptors in the archive of a list.
    ///
    /// - Throws: an `NSError` `coderReadCorrupt` for bytes that are refused and for an object of another class.
    public static func unarchivedArrayOfObjects<Part: NSObject & NSCoding & NamedArchiving>(
        ofClass kind: Part.Type, from data: Data
    ) throws -> [Part]? {
        try read { try PartArchive.parts(kind, in: data)?.map { try same($0, kind) } }
    }

    private static func same<Part: NSObject>(_ part: NSObject, _ kind: Part.Type) throws -> Part {
        guard let same = part as? Part else {
            throw ArchiveError(.unexpectedClass, "the archive holds a \(type(of: part)), not a \(kind)")
        }
        return same
    }

    private static func read<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as ArchiveError {
            throw error.asNSError(.coderReadCorrupt)
        } catch let error as ExpressionError {
            throw ArchiveError(.unsupportedForm, error.description).asNSError(.coderReadCorrupt)
        }
    }
}
