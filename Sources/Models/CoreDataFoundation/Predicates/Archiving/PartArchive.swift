/// Archives whose root is a predicate, an expression, a sort descriptor or a list of such.
enum PartArchive {
    /// The key under which the archive of another object contains the archive of a part.
    static let bytesKey = "CoreDataFoundation.archive"

    /// The archive of one object.
    ///
    /// - Throws: `ArchiveError` for objects that cannot be archived.
    static func data(of part: NSObject) throws -> Data {
        var builder = ArchiveBuilder()
        let root = try add(part, to: &builder)
        return builder.data(root: root)
    }

    /// The archive of a list.
    static func data(of parts: [NSObject]) throws -> Data {
        var builder = ArchiveBuilder()
        let places = try parts.map { try add($0, to: &builder) }
        let root = builder.collection("NSArray", places)
        return builder.data(root: root)
    }

    /// Whether a value is of a class that these archives can contain.
    static func holds(_ value: Any) -> Bool {
        value is NSPredicate || value is NSExpression || value is NSSortDescriptor
    }

    private static func add(_ part: NSObject, to builder: inout ArchiveBuilder) throws -> PropertyList {
        switch part {
        case let predicate as NSPredicate: return try builder.predicate(predicate)
        case let expression as NSExpression: return try builder.expression(expression)
        case let descriptor as NSSortDescriptor: return try builder.sortDescriptor(descriptor)
        default: throw ArchiveError(.unexpectedClass, "an object of class \(type(of: part)) is no predicate")
        }
    }

    /// The object of a kind at the root of an archive; nil for an archive of nil.
    ///
    /// - Throws: `ArchiveError` and `ExpressionError` for bytes that are refused.
    static func part(_ kind: NSObject.Type, in data: Data) throws -> NSObject? {
        let archive = try KeyedArchive(data)
        guard archive.resolve(archive.root) != .null else { return nil }
        var reader = ArchivedPredicate(archive)
        return try part(kind, at: archive.root, &reader)
    }

    /// The objects of a kind in the list at the root of an archive.
    static func parts(_ kind: NSObject.Type, in data: Data) throws -> [NSObject]? {
        let archive = try KeyedArchive(data)
        guard archive.resolve(archive.root) != .null else { return nil }
        guard let elements = archive.elements(archive.root) else {
            throw ArchiveError(.unexpectedClass, "the archive holds no list")
        }
        var reader = ArchivedPredicate(archive)
        return try elements.map { try part(kind, at: $0, &reader) }
    }

    private static func part(
        _ kind: NSObject.Type, at value: PropertyList, _ reader: inout ArchivedPredicate
    ) throws -> NSObject {
        if let inner = reader.archive.object(value).flatMap({ reader.archive.resolve($0.fields[bytesKey]).data }) {
            // Foundation's archiver wrote the part as an archive in the archive; further levels are not decoded.
            let archive = try KeyedArchive(inner)
            var innerReader = ArchivedPredicate(archive)
            return try named(kind, at: archive.root, &innerReader)
        }
        return try named(kind, at: value, &reader)
    }

    private static func named(
        _ kind: NSObject.Type, at value: PropertyList, _ reader: inout ArchivedPredicate
    ) throws -> NSObject {
        if kind is NSPredicate.Type { return try reader.predicate(value) }
        if kind is NSSortDescriptor.Type { return try reader.sortDescriptor(value) }
        return try reader.expression(value)
    }
}
