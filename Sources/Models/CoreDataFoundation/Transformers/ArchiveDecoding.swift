/// Decodes keyed archives of listed classes, after their bytes have been checked.
///
/// Foundation's decoder overflows the stack on archives that contain themselves and traps on classes that are not on
/// its list, whatever its failure policy is; so `proveAcyclicArchive` examines the bytes first.
package enum ArchiveDecoding {
    /// Why an archive was not decoded.
    package enum Failure: Error, Equatable {
        /// The archive contains an object of a class that is not listed, or cannot be read.
        case undecodable
        /// The value cannot be archived.
        case unencodable
    }

    /// The classes of which every archive may contain objects.
    package static let plainClasses: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, NSURL.self,
        NSUUID.self, NSNull.self,
    ]

    /// Decodes the object in an archive, which must be of one of the classes.
    ///
    /// - Throws: `ArchiveError` for bytes that are refused, `Failure` otherwise.
    package static func object(in data: Data, topLevelClasses: [AnyClass]) throws -> Any {
        if let part = try predicatePart(in: data, topLevelClasses) { return part }
        let found = try proveAcyclicArchive(data)
        guard found.isSubset(of: names(topLevelClasses).union(decimalNames)) else { throw Failure.undecodable }
        guard found.isDisjoint(with: decimalNames) else { return try decimals(in: data, topLevelClasses) }
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = true
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        defer { unarchiver.finishDecoding() }
        let classes = plainClasses + topLevelClasses
        guard let object = unarchiver.decodeObject(of: classes, forKey: NSKeyedArchiveRootObjectKey),
            topLevelClasses.contains(where: { isKind(object, of: $0) })
        else { throw Failure.undecodable }
        return object
    }

    private static let decimalNames: Set = ["NSDecimalNumber", "NSDecimalNumberPlaceholder"]

    /// Decodes an archive with decimal numbers, whose class Foundation's decoder does not support.
    private static func decimals(in data: Data, _ classes: [AnyClass]) throws -> Any {
        guard let object = try decodeArchive(data, allowing: []), classes.contains(where: { isKind(object, of: $0) })
        else { throw Failure.undecodable }
        return object
    }

    /// The predicate, expression or sort descriptor in an archive; nil for an archive of something else.
    private static func predicatePart(in data: Data, _ classes: [AnyClass]) throws -> NSObject? {
        let kinds = classes.compactMap { $0 as? (NSObject & NamedArchiving).Type }
        return kinds.lazy.compactMap { try? PartArchive.part($0, in: data) }.first
    }

    /// The class names that an archive may contain; mutable classes are decoded as immutable ones.
    private static func names(_ topLevelClasses: [AnyClass]) -> Set<String> {
        let plain = plainClasses.map { NSStringFromClass($0) }
        let mutable = plain.map { "NSMutable" + $0.dropFirst(2) }
        return Set(plain + mutable + topLevelClasses.map { NSStringFromClass($0) })
    }

    /// The keyed archive of a value.
    package static func archive(of value: Any) throws -> Data {
        if PartArchive.holds(value), let part = value as? NSObject { return try PartArchive.data(of: part) }
        if let data = try PlainValueArchive.data(of: value) { return data }
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode(value, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        guard archiver.error == nil else { throw Failure.unencodable }
        return archiver.encodedData
    }

    /// Whether an object is of a class, also if decoding has bridged it to a Swift value.
    private static func isKind(_ object: Any, of wanted: AnyClass) -> Bool {
        guard let object = boxed(object) else { return false }
        return object.isKind(of: wanted)
    }

    private static func boxed(_ value: Any) -> NSObject? {
        switch value {
        case let value as NSObject: value
        case let value as String: value as NSString
        case let value as [Any]: value as NSArray
        case let value as [AnyHashable: Any]: value as NSDictionary
        case let value as Set<AnyHashable>: value as NSSet
        case let value as Date: value as NSDate
        case let value as Data: value as NSData
        case let value as URL: value as NSURL
        case let value as UUID: value as NSUUID
        default: value as? NSNumber
        }
    }
}
